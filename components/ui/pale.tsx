import type { ReactNode } from 'react';

type Props = {
  /** A poll; what is shown of it is the answer to what was asked before, as long as it has no other. */
  readonly of: { readonly isPlaceholderData: boolean };
  readonly children: ReactNode;
};

/** Pale while it still shows what was asked for before: another filter, range or model. */
export function Pale({ of: { isPlaceholderData }, children }: Props) {
  return (
    <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-50' : undefined}>
      {children}
    </div>
  );
}
