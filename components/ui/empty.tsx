import type { ReactNode } from 'react';

/** What stands where there is nothing to show: that it is empty, and why or what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="px-4 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children ? <div className="mx-auto mt-1 max-w-prose text-muted">{children}</div> : null}
    </div>
  );
}
