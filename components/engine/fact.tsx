import type { ReactNode } from 'react';

/** One line of the panel: what it is about, and what is known. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

/** A key of warden.yaml in running text. */
export function ConfigKey({ children }: { readonly children: ReactNode }) {
  return <code className="font-mono text-ink text-xs">{children}</code>;
}
