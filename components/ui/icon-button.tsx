import clsx from 'clsx';
import type { ComponentProps } from 'react';
import { Tip } from './tip.tsx';

type Props = Omit<ComponentProps<'button'>, 'aria-label'> & { readonly label: string };

/** A button with only an icon: its label is its accessible name and its tooltip. */
export function IconButton({ label, className, type = 'button', ...rest }: Props) {
  return (
    <Tip text={label}>
      <button
        type={type}
        aria-label={label}
        className={clsx(
          'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors',
          'hover:bg-hover hover:text-ink disabled:cursor-not-allowed disabled:opacity-50',
          className,
        )}
        {...rest}
      />
    </Tip>
  );
}
