import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import type { ApiError } from '#components/data/client.ts';
import { Card } from '#components/ui/card.tsx';
import { Pale } from '#components/ui/pale.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { TableButton } from './table-button.tsx';
import { scaled } from './text-scale.ts';

type Props<T> = {
  readonly title: string;
  readonly note?: ReactNode;
  readonly query: UseQueryResult<T, ApiError>;
  /** What stands in the chart's place on the first load. */
  readonly height: number;
  readonly chart: (data: T) => ReactNode;
  /** The same numbers as a table, where asked for. */
  readonly table: (data: T) => ReactNode;
};

/** A chart with its title, and the table behind it. Pale while it still shows the range or model before. */
export function ChartCard<T>({ title, note, query, height, chart, table }: Props<T>) {
  const [asTable, setAsTable] = useState(false);
  const withTable = useDeferredValue(asTable);
  const toggle = <TableButton title={title} open={asTable} onToggle={() => setAsTable(!asTable)} />;
  return (
    <Card title={title} note={note} actions={query.data ? toggle : null} flush>
      <PollState query={query} loading={<Loading height={height} />}>
        {(data) => (
          <Pale of={query}>
            <div className="px-4 pt-3 pb-3">{chart(data)}</div>
            {withTable ? table(data) : null}
          </Pale>
        )}
      </PollState>
    </Card>
  );
}

type LoadingCardProps = { readonly title: string; readonly height: number };

/** A chart's place before the reader has come near it. */
export function LoadingCard({ title, height }: LoadingCardProps) {
  return (
    <Card title={title} flush>
      <Loading height={height} />
    </Card>
  );
}

function Loading({ height }: { readonly height: number }) {
  return (
    <div className="p-4" style={{ height: scaled(height + 24) }}>
      <Skeleton className="h-full" />
    </div>
  );
}
