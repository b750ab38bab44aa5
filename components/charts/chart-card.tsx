import type { UseQueryResult } from '@tanstack/react-query';
import clsx from 'clsx';
import { Table2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '#components/data/client.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';

type Props<T> = {
  readonly title: string;
  readonly note?: ReactNode;
  readonly query: UseQueryResult<T, ApiError>;
  /** What stands in the chart's place on the first load. */
  readonly loadingClass: string;
  readonly chart: (data: T) => ReactNode;
  /** The same numbers as a table, where asked for. */
  readonly table: (data: T) => ReactNode;
};

/** A chart with its title, and the table behind it. Pale while it still shows the range or model before. */
export function ChartCard<T>({ title, note, query, loadingClass, chart, table }: Props<T>) {
  const [asTable, setAsTable] = useState(false);
  const word = asTable ? 'Hide table' : 'Show table';
  const toggle = (
    <Button
      look="quiet"
      aria-expanded={asTable}
      aria-label={`${word}: ${title}`}
      onClick={() => setAsTable(!asTable)}
      className="-mr-2 max-sm:-ml-3"
    >
      <Table2 aria-hidden="true" className="size-4" />
      {word}
    </Button>
  );
  return (
    <Card title={title} note={note} actions={query.data ? toggle : null} flush>
      <PollState query={query} loading={<Skeleton className={clsx('m-4', loadingClass)} />}>
        {(data) => (
          <div className={query.isPlaceholderData ? 'opacity-50' : undefined}>
            <div className="px-4 pt-3 pb-3">{chart(data)}</div>
            {asTable ? table(data) : null}
          </div>
        )}
      </PollState>
    </Card>
  );
}
