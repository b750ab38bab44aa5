import type { FigureWords } from './figure-head.ts';
import { pageColor } from './page-color.ts';
import { pictureOf } from './picture.ts';

export type BarRow = {
  readonly label: string;
  /** From left to right; `share` of the longest bar there is, 0 to 1. */
  readonly parts: readonly { readonly share: number; readonly color: string }[];
  /** The number of the whole bar. */
  readonly text: string;
};

const WIDTH = 720;
const ROW = 24;
const BAR = 12;
const GAP = 10;
const LABELS = 240;
const NUMBERS = 80;

/** Horizontal bars, one below the other, as a PNG. */
export function barsPng(rows: readonly BarRow[], words: FigureWords): Promise<Blob> {
  const longest = WIDTH - LABELS - NUMBERS - 2 * GAP;
  const draw = (context: CanvasRenderingContext2D) => {
    const ink = pageColor('var(--ink)');
    context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    context.textBaseline = 'middle';
    for (const [index, { label, parts, text }] of rows.entries()) {
      const middle = (index + 0.5) * ROW;
      context.fillStyle = ink;
      context.fillText(fitting(context, label, LABELS), 0, middle);
      let left = LABELS + GAP;
      for (const { share, color } of parts) {
        context.fillStyle = pageColor(color);
        context.fillRect(left, middle - BAR / 2, share * longest, BAR);
        left += share * longest;
      }
      context.fillStyle = ink;
      context.fillText(text, left + GAP, middle);
    }
  };
  return pictureOf({ width: WIDTH, height: rows.length * ROW, draw }, words);
}

/** Cut, with an ellipsis, where it is wider than there is room. */
function fitting(context: CanvasRenderingContext2D, text: string, width: number): string {
  const letters = [...text];
  let shown = text;
  while (letters.length > 1 && context.measureText(shown).width > width) {
    letters.pop();
    shown = `${letters.join('')}…`;
  }
  return shown;
}
