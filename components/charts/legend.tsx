import clsx from 'clsx';

export type LegendEntry = {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  readonly dashed?: boolean;
};

type Props = {
  readonly entries: readonly LegendEntry[];
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (key: string) => void;
};

/** The series' names; each is a button that shows or hides its series. */
export function Legend({ entries, hidden, onToggle }: Props) {
  return (
    <ul aria-label="Series" className="flex flex-wrap gap-x-1">
      {entries.map((entry) => {
        const shown = !hidden.has(entry.key);
        return (
          <li key={entry.key}>
            <button
              type="button"
              aria-pressed={shown}
              onClick={() => onToggle(entry.key)}
              className={clsx(
                'inline-flex h-7 items-center gap-1.5 rounded-md px-1.5 text-xs hover:bg-hover',
                shown ? 'text-muted' : 'text-faint line-through',
              )}
            >
              <svg aria-hidden="true" viewBox="0 0 12 12" className={clsx('size-3', shown || 'opacity-40')}>
                {entry.dashed === undefined ? (
                  <rect x="1" y="1" width="10" height="10" rx="2" fill={entry.color} />
                ) : (
                  <path
                    d="M0 6h12"
                    stroke={entry.color}
                    strokeWidth="2.5"
                    strokeDasharray={entry.dashed ? '4 2' : undefined}
                  />
                )}
              </svg>
              {entry.label}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
