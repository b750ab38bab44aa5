import clsx from 'clsx';
import { useState } from 'react';

/** A live number that tints its ground for a second when it changes (not with reduced motion). */
export function Ticking({ value, className }: { readonly value: string; readonly className?: string }) {
  const [shown, setShown] = useState({ value, changes: 0 });
  if (shown.value !== value) setShown({ value, changes: shown.changes + 1 });
  return (
    <span
      key={shown.changes}
      className={clsx('-mx-1 rounded px-1 tabular-nums', shown.changes > 0 && 'animate-tint', className)}
    >
      {value}
    </span>
  );
}
