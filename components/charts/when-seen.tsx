'use client';

import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';

type Props = {
  /** Holds the place until then, as high as what comes. */
  readonly placeholder: ReactNode;
  readonly children: ReactNode;
};

/** What is far below the window is neither asked for nor drawn until the reader comes near it. */
const NEAR = '500px';

export function WhenSeen({ placeholder, children }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const { current } = place;
    if (current === null || seen) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: NEAR },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [seen]);
  return (
    <div ref={place} className="min-w-0 [&>section]:h-full">
      {seen ? <Suspense fallback={placeholder}>{children}</Suspense> : placeholder}
    </div>
  );
}
