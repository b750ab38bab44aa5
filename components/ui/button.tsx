import clsx from 'clsx';
import type { ComponentProps } from 'react';

const LOOKS = {
  primary: 'border-ink bg-ink text-canvas hover:opacity-90',
  plain: 'border-line-strong bg-raised text-ink hover:bg-hover',
  quiet: 'border-transparent text-muted hover:bg-hover hover:text-ink',
  danger: 'border-bad bg-bad text-canvas hover:opacity-90',
} as const;

type Props = ComponentProps<'button'> & { readonly look?: keyof typeof LOOKS };

export function Button({ look = 'plain', className, type = 'button', ...rest }: Props) {
  return (
    <button
      type={type}
      className={clsx(
        'inline-flex h-8 items-center justify-center gap-1.5 whitespace-nowrap rounded-md border px-3 font-medium',
        'transition-colors disabled:cursor-not-allowed disabled:opacity-50',
        LOOKS[look],
        className,
      )}
      {...rest}
    />
  );
}
