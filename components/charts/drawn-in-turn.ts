import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** What is to be drawn, in the order of the page. */
const line = new Set<() => void>();
let isMoving = false;

/**
 * A value that follows another one a moment later, in a task of its own after the next paint: the charts of a page that
 * change together are drawn one after the other, and keys and clicks are answered between them.
 */
export function useDrawnInTurn<T extends object>(value: T): T {
  const [drawn, setDrawn] = useState(value);
  useEffect(() => {
    if (drawn === value) return;
    const draw = () => flushSync(() => setDrawn(value));
    line.add(draw);
    if (!isMoving) {
      isMoving = true;
      requestAnimationFrame(() => setTimeout(drawNext));
    }
    return () => {
      line.delete(draw);
    };
  }, [drawn, value]);
  return drawn;
}

function drawNext(): void {
  const [draw] = line;
  if (draw === undefined) {
    isMoving = false;
    return;
  }
  line.delete(draw);
  // The next one comes even where this one throws: its error belongs to the chart's own boundary.
  setTimeout(drawNext);
  draw();
}
