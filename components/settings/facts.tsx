import clsx from 'clsx';
import type { ReactNode } from 'react';

type Props = {
  readonly facts: readonly { readonly name: string; readonly value: ReactNode }[];
  readonly className?: string;
};

/** Names and what is known of them, in two columns. */
export function Facts({ facts, className }: Props) {
  return (
    <dl className={clsx('grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2', className)}>
      {facts.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
