import { flow } from './flow.ts';
import type { LegendEntry } from './legend.tsx';
import { markerPath } from './marker-path.ts';
import { pageColor } from './page-color.ts';

export type FigureWords = {
  readonly title: string;
  /** What a reader who has only the picture must know besides; empty for nothing. */
  readonly note: string;
  /** The series that are shown. */
  readonly legend: readonly LegendEntry[];
};

const LINE = 18;
const SWATCH = 20;
const SWATCH_GAP = 6;

type Head = { readonly height: number; readonly draw: () => void };

/** Title, note and legend, in as many rows as they need at `width` px; drawn at the context's origin. */
export function figureHead(
  context: CanvasRenderingContext2D,
  { title, note, legend }: FigureWords,
  width: number,
): Head {
  const family = getComputedStyle(document.body).fontFamily;
  const ink = pageColor('var(--ink)');
  const muted = pageColor('var(--muted)');
  const parts = [
    paragraph(context, title, { font: `600 14px ${family}`, color: ink, width }),
    paragraph(context, note, { font: `12px ${family}`, color: muted, width }),
    legendOf(context, legend, { font: `12px ${family}`, color: muted, width }),
  ];
  return {
    height: parts.reduce((sum, { rows }) => sum + rows * LINE, 0) + 6,
    draw: () => {
      let top = 0;
      for (const { rows, draw } of parts) {
        draw(top);
        top += rows * LINE;
      }
    },
  };
}

type TextLook = { readonly font: string; readonly color: string; readonly width: number };
type Part = { readonly rows: number; readonly draw: (top: number) => void };

function paragraph(context: CanvasRenderingContext2D, text: string, { font, color, width }: TextLook): Part {
  context.font = font;
  const words = text.split(' ').filter((word) => word !== '');
  const places = flow(
    words.map((word) => context.measureText(word).width),
    width,
    context.measureText(' ').width,
  );
  return {
    rows: rowsOf(places),
    draw: (top) => {
      writeIn(context, font, color);
      for (const [index, { x, row }] of places.entries()) context.fillText(words[index] ?? '', x, middle(top, row));
    },
  };
}

function legendOf(
  context: CanvasRenderingContext2D,
  entries: readonly LegendEntry[],
  { font, color, width }: TextLook,
): Part {
  context.font = font;
  const places = flow(
    entries.map(({ label }) => SWATCH + SWATCH_GAP + context.measureText(label).width),
    width,
    14,
  );
  return {
    rows: rowsOf(places),
    draw: (top) => {
      writeIn(context, font, color);
      for (const [index, entry] of entries.entries()) {
        const { x, row } = places[index] ?? { x: 0, row: 0 };
        context.fillStyle = color;
        context.fillText(entry.label, x + SWATCH + SWATCH_GAP, middle(top, row));
        drawSwatch(context, entry, x, middle(top, row));
      }
    },
  };
}

/** As the legend on the page: a square for bars, a line for lines. */
function drawSwatch(
  context: CanvasRenderingContext2D,
  { color, line, marker }: LegendEntry,
  x: number,
  y: number,
): void {
  const resolved = pageColor(color);
  context.fillStyle = resolved;
  context.strokeStyle = resolved;
  if (line === undefined) {
    context.fillRect(x + SWATCH - 12, y - 5, 10, 10);
    return;
  }
  context.lineWidth = 2;
  context.setLineDash(line.split(' ').filter(Boolean).map(Number));
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + SWATCH, y);
  context.stroke();
  if (marker === undefined) return;
  context.translate(x + SWATCH / 2, y);
  context.fill(new Path2D(markerPath(marker)));
  context.translate(-x - SWATCH / 2, -y);
}

function writeIn(context: CanvasRenderingContext2D, font: string, color: string): void {
  context.font = font;
  context.fillStyle = color;
  context.textBaseline = 'middle';
}

const rowsOf = (places: readonly { readonly row: number }[]) => (places.at(-1)?.row ?? -1) + 1;
const middle = (top: number, row: number) => top + (row + 0.5) * LINE;
