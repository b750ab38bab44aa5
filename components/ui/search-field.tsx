import clsx from 'clsx';
import { Search } from 'lucide-react';
import type { KeyboardEvent } from 'react';

type Props = {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly className?: string;
};

/** What a table is searched for. The key `/` comes here from anywhere on the page; Esc empties it, then leaves it. */
export function SearchField({ label, placeholder, value, onChange, className }: Props) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Escape') return;
    if (value === '') event.currentTarget.blur();
    else onChange('');
  };
  return (
    <label className={clsx('relative flex min-w-48 items-center', className)}>
      <span className="sr-only">{label}</span>
      <Search aria-hidden="true" className="pointer-events-none absolute left-2.5 size-4 text-faint" />
      <input
        type="search"
        value={value}
        placeholder={placeholder}
        aria-keyshortcuts="/"
        onKeyDown={onKeyDown}
        onChange={(event) => onChange(event.target.value)}
        className="h-8 w-full rounded-md border border-line-strong bg-raised pr-2.5 pl-8 placeholder:text-faint"
      />
    </label>
  );
}
