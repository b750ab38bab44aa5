import clsx from 'clsx';
import type { ReactNode } from 'react';

/** Names and what is known of them, in two columns; of `Fact`s. */
export function FactList({ children, className }: { readonly children: ReactNode; readonly className?: string }) {
  return <dl className={clsx('grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2', className)}>{children}</dl>;
}

/** One line of the list: what it is about, and what is known. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 tabular-nums [overflow-wrap:anywhere]">{children}</dd>
    </>
  );
}
