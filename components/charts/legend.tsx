import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { markerPath } from './marker-path.ts';
import type { Marker } from './palette.ts';

export type LegendEntry = {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  /** Dash array of a line, empty for a solid one; bars have none. */
  readonly line?: string;
  readonly marker?: Marker;
};

type Props<Entry extends LegendEntry> = {
  readonly entries: readonly Entry[];
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
  /** What stands behind a name: its value. */
  readonly value?: (entry: Entry) => ReactNode;
};

/** The series' names; each is a button that shows or hides its series. */
export function Legend<Entry extends LegendEntry>({ entries, hidden, onToggle, value }: Props<Entry>) {
  const t = useTranslations('charts');
  return (
    <ul aria-label={t('series')} className="-ml-1.5 flex min-w-0 flex-wrap gap-x-1">
      {entries.map((entry) => {
        const shown = !hidden.has(entry.key);
        return (
          <li key={entry.key} className="min-w-0">
            <button
              type="button"
              aria-pressed={shown}
              onClick={() => onToggle(entry.key)}
              className={clsx(
                'inline-flex h-7 max-w-full items-center gap-1.5 rounded-md px-1.5 text-xs hover:bg-hover',
                shown ? 'text-muted' : 'text-faint line-through',
              )}
            >
              <Swatch entry={entry} faded={!shown} />
              <span className="truncate">{entry.label}</span>
            </button>
            {value === undefined ? null : (
              <span className="inline-block min-w-[7ch] pr-1 text-xs tabular-nums">{shown ? value(entry) : null}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Swatch({ entry, faded }: { readonly entry: LegendEntry; readonly faded: boolean }) {
  if (entry.line === undefined) {
    return (
      <svg aria-hidden="true" viewBox="0 0 12 12" className={clsx('size-3 shrink-0', faded && 'opacity-40')}>
        <rect x="1" y="1" width="10" height="10" rx="2" fill={entry.color} />
      </svg>
    );
  }
  return (
    <svg aria-hidden="true" viewBox="0 0 22 12" className={clsx('h-3 w-5.5 shrink-0', faded && 'opacity-40')}>
      <path d="M0 6h22" stroke={entry.color} strokeWidth="2" strokeDasharray={entry.line || undefined} />
      {entry.marker === undefined ? null : (
        <path d={markerPath(entry.marker)} transform="translate(11 6)" fill={entry.color} />
      )}
    </svg>
  );
}
