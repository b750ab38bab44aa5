import clsx from 'clsx';
import type { ReactNode } from 'react';

type Fact = { readonly name: string; readonly value: ReactNode; readonly wide?: boolean };

/** Names and values of one thing, side by side as far as there is room. */
export function Facts({ label, facts }: { readonly label: string; readonly facts: readonly Fact[] }) {
  return (
    <dl aria-label={label} className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-5 gap-y-3">
      {facts.map(({ name, value, wide = false }) => (
        <div key={name} className={clsx('min-w-0', wide && 'col-span-full')}>
          <dt className="text-muted text-xs">{name}</dt>
          <dd className="mt-0.5 break-words tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
