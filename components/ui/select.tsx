import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';

export type Option = { readonly value: string; readonly label: string };

type Props = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
  readonly className?: string;
};

/** The browser's own select, in our clothes: the best one there is on a phone and with a keyboard. */
export function Select({ label, value, options, onChange, className }: Props) {
  return (
    <label className={clsx('relative inline-flex min-w-0 items-center', className)}>
      <span className="sr-only">{label}</span>
      <select
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-8 w-full min-w-0 appearance-none truncate rounded-md border border-line-strong bg-raised pr-8 pl-3 font-medium hover:bg-hover"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute right-2.5 size-4 text-muted" />
    </label>
  );
}
