import Link from 'next/link';
import type { ReactNode } from 'react';

/** A link in running text. */
export function TextLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Link
      href={href}
      className="rounded text-accent underline decoration-line-strong underline-offset-3 hover:decoration-current"
    >
      {children}
    </Link>
  );
}
