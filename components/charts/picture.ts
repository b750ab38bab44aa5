import { type FigureWords, figureHead } from './figure-head.ts';
import { pageColor } from './page-color.ts';

/** Pixels of the picture for one of the page. */
export const PICTURE_SCALE = 2;
const PADDING = 16;

type Content = {
  readonly width: number;
  readonly height: number;
  /** At the context's origin, in px of the page. */
  readonly draw: (context: CanvasRenderingContext2D) => void;
};

/** A drawing as a PNG: on the page's surface, below its title, note and legend. Throws where the browser draws none. */
export function pictureOf({ width, height, draw }: Content, words: FigureWords): Promise<Blob> {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) throw new Error('This browser draws no pictures.');
  const head = figureHead(context, words, width);
  // A new size clears a canvas and its settings.
  context.canvas.width = Math.ceil((width + 2 * PADDING) * PICTURE_SCALE);
  context.canvas.height = Math.ceil((head.height + height + 2 * PADDING) * PICTURE_SCALE);
  context.fillStyle = pageColor('var(--raised)');
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  context.scale(PICTURE_SCALE, PICTURE_SCALE);
  context.translate(PADDING, PADDING);
  head.draw();
  context.translate(0, head.height);
  draw(context);
  return asPng(context.canvas);
}

function asPng(drawn: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    drawn.toBlob((blob) => {
      if (blob === null) reject(new Error('This browser could not write the picture.'));
      else resolve(blob);
    }, 'image/png');
  });
}
