import type { RefObject } from 'react';
import { loadCode } from '#components/data/load-code.ts';
import type { FigureWords } from './figure-head.ts';

/** The charts within an element as a picture. */
export async function drawFigure(figure: RefObject<Element | null>, words: FigureWords): Promise<Blob> {
  const { figurePng } = await loadCode(() => import('./figure-png.ts'));
  if (figure.current === null) throw new Error('The chart is not there any more.');
  return figurePng(figure.current, words);
}
