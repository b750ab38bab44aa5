import { type ComponentProps, useId } from 'react';

type Props = Omit<ComponentProps<'input'>, 'onChange' | 'value'> & {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What is wrong with it; shown in place of the hint. */
  readonly problem?: string | null;
  readonly hint?: string;
};

/** A labelled text field with what is wrong with it. */
export function TextInput({ label, value, onChange, problem = null, hint, ...rest }: Props) {
  const id = useId();
  const says = problem ?? hint;
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <input
        {...rest}
        id={id}
        value={value}
        spellCheck={false}
        autoCapitalize="none"
        aria-invalid={problem !== null}
        aria-describedby={says === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 w-full rounded-md border border-line-strong bg-raised px-2.5 aria-invalid:border-bad disabled:opacity-60"
      />
      {says === undefined ? null : (
        <p id={`${id}-hint`} className={problem === null ? 'mt-1 text-muted text-xs' : 'mt-1 text-bad text-xs'}>
          {says}
        </p>
      )}
    </div>
  );
}
