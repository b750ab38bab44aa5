import type { FigureWords } from './figure-head.ts';
import { PICTURE_SCALE, pictureOf } from './picture.ts';

/** The charts inside `figure` as a PNG, as they look now. Throws where there is no chart, or the browser draws none. */
export async function figurePng(figure: Element, words: FigureWords): Promise<Blob> {
  const charts = [...figure.querySelectorAll<SVGSVGElement>('svg.recharts-surface')];
  const boxes = charts.map((chart) => chart.getBoundingClientRect());
  const [first] = boxes;
  if (first === undefined) throw new Error('There is no chart to draw.');
  const width = Math.max(...boxes.map((box) => box.right)) - first.left;
  const height = Math.max(...boxes.map((box) => box.bottom)) - first.top;
  const images = await Promise.all(charts.map((chart, index) => rendered(chart, boxes[index] ?? first)));

  const draw = (context: CanvasRenderingContext2D) => {
    for (const [index, image] of images.entries()) {
      const { left, top, width, height } = boxes[index] ?? first;
      context.drawImage(image, left - first.left, top - first.top, width, height);
    }
  };
  return pictureOf({ width, height, draw }, words);
}

/** What a stylesheet or a CSS variable may have decided; a picture of its own knows neither. */
const STYLES = [
  'display',
  'visibility',
  'opacity',
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'font-variant-numeric',
];
/** Where the pointer or the keyboard is at is no part of the figure. */
const CURSORS = '.recharts-tooltip-cursor, .recharts-active-dot';

/** A chart as an image that depends on nothing of the page. */
async function rendered(chart: SVGSVGElement, { width, height }: DOMRect): Promise<HTMLImageElement> {
  const copy = document.importNode(chart, true);
  const copies = [copy, ...copy.querySelectorAll('*')];
  for (const [index, element] of [chart, ...chart.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(element);
    const text = STYLES.map((name) => `${name}:${style.getPropertyValue(name)}`).join(';');
    copies[index]?.setAttribute('style', text);
  }
  for (const cursor of copy.querySelectorAll(CURSORS)) cursor.remove();
  copy.setAttribute('viewBox', `0 0 ${width} ${height}`);
  // Some browsers draw an SVG in its own size and enlarge the pixels.
  copy.setAttribute('width', String(width * PICTURE_SCALE));
  copy.setAttribute('height', String(height * PICTURE_SCALE));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}
