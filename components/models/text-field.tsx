import clsx from 'clsx';
import { type ReactNode, useId } from 'react';

type Props = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  /** What is wrong with it; stands in the hint's place. */
  readonly problem?: string | null;
  readonly placeholder?: string;
  /** More than one line. */
  readonly rows?: number;
  readonly kind?: 'text' | 'secret' | 'count';
  readonly readOnly?: boolean;
  readonly required?: boolean;
};

const LOOK =
  'w-full rounded-md border border-line-strong bg-canvas px-2.5 text-ink placeholder:text-faint read-only:bg-subtle read-only:text-muted aria-invalid:border-bad';

/** A labelled field with a hint, or with what is wrong with it. Password managers are kept out of secrets. */
export function TextField(props: Props) {
  const { label, value, onChange, hint, problem = null, rows, kind = 'text', ...rest } = props;
  const id = useId();
  const common = {
    id,
    value,
    spellCheck: false,
    autoComplete: kind === 'secret' ? 'new-password' : 'off',
    autoCapitalize: 'none',
    'aria-invalid': problem !== null,
    'aria-describedby': `${id}-hint`,
    ...rest,
  } as const;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      {rows === undefined ? (
        <input
          {...common}
          type={kind === 'secret' ? 'password' : 'text'}
          inputMode={kind === 'count' ? 'numeric' : undefined}
          onChange={(event) => onChange(event.target.value)}
          className={clsx('h-9', LOOK, kind === 'count' && 'tabular-nums')}
        />
      ) : (
        <textarea
          {...common}
          rows={rows}
          onChange={(event) => onChange(event.target.value)}
          className={clsx('block resize-y py-1.5 font-mono text-xs leading-5', LOOK)}
        />
      )}
      <p id={`${id}-hint`} className={clsx('mt-1 text-xs', problem === null ? 'text-muted' : 'text-bad')}>
        {problem ?? hint}
      </p>
    </div>
  );
}
