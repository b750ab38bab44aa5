import { type RefObject, useEffect, useRef, useState } from 'react';

/**
 * Keeps a box as tall as it has been, so that a list whose rows come and go every second does not move what is below.
 * Another width, and it begins anew. `minHeight` in px.
 */
export function useTallestHeight(): { readonly ref: RefObject<HTMLDivElement | null>; readonly minHeight: number } {
  const ref = useRef<HTMLDivElement>(null);
  const [tallest, setTallest] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => {
      const { offsetWidth: width, offsetHeight: height } = box;
      setTallest((before) => {
        if (before.width !== width) return { width, height: 0 };
        return height > before.height ? { width, height } : before;
      });
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return { ref, minHeight: tallest.height };
}
