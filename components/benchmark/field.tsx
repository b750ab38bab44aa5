import { type ReactNode, useId } from 'react';

type Props = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem: string | null;
  readonly hint?: ReactNode;
};

/** A labelled text field with what is wrong with it. */
export function Field({ label, value, onChange, problem, hint }: Props) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <input
        id={id}
        value={value}
        inputMode="numeric"
        autoComplete="off"
        aria-invalid={problem !== null}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
        className="h-8 w-full rounded-md border border-line-strong bg-raised px-2.5 tabular-nums aria-invalid:border-bad"
      />
      <p id={`${id}-hint`} className={problem === null ? 'mt-1 text-faint text-xs' : 'mt-1 text-bad text-xs'}>
        {problem ?? hint}
      </p>
    </div>
  );
}
