import { useSyncExternalStore } from 'react';

/** The size of the page's text that the charts are measured for, in pixels. */
const MEASURED_FOR = 14;

/** How much larger the page's text is than that: on very wide screens all of a page is larger, charts too. */
export function useTextScale(): number {
  return useSyncExternalStore(subscribe, read, () => 1);
}

/** A height in pixels at the usual size of text, as CSS that grows with it. */
export function scaled(pixels: number): string {
  return `${pixels / MEASURED_FOR}rem`;
}

function subscribe(listener: () => void): () => void {
  addEventListener('resize', listener);
  return () => removeEventListener('resize', listener);
}

function read(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / MEASURED_FOR;
}
