import clsx from 'clsx';

/** Holds the place of what is being loaded for the first time. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden="true" className={clsx('animate-pulse rounded-md bg-hover', className)} />;
}
