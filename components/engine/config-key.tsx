import type { ReactNode } from 'react';

/** A key of warden.yaml in running text. */
export function ConfigKey({ children }: { readonly children: ReactNode }) {
  return <code className="font-mono text-ink text-xs">{children}</code>;
}
