'use client';

import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { useState } from 'react';
import { ModelPicker } from '#components/data/model-picker.tsx';
import { useRequests } from '#components/data/queries.ts';
import { useModelFilter } from '#components/data/url-state.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { DECISIONS } from '#components/ui/decision.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Select } from '#components/ui/select.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { decisionKind } from '#lib/contract/activity.ts';
import { NoRequests } from './no-requests.tsx';
import { RequestTable } from './request-table.tsx';

const AT_FIRST = 50;
const AT_MOST = 200;
const KINDS = decisionKind.options;
const OPTIONS = [
  { value: '', label: 'All decisions' },
  ...KINDS.map((kind) => ({ value: kind, label: DECISIONS[kind].word })),
];

/** The newest finished requests of all models, or of one. */
export function RequestsPage() {
  const [model] = useModelFilter();
  const [decision, setDecision] = useQueryState('decision', parseAsStringLiteral(KINDS));
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap gap-2">
        <ModelPicker />
        <Select
          label="Decision"
          value={decision ?? ''}
          options={OPTIONS}
          onChange={(value) => void setDecision(KINDS.find((kind) => kind === value) ?? null)}
        />
      </div>
      <Newest model={model} decision={decision} />
    </div>
  );
}

type NewestProps = { readonly model: string | null; readonly decision: (typeof KINDS)[number] | null };

function Newest({ model, decision }: NewestProps) {
  const [limit, setLimit] = useState(AT_FIRST);
  const query = useRequests(model, limit);
  const all = query.data?.requests ?? [];
  const found = all.filter((request) => decision === null || request.decision === decision);
  const hasMore = all.length >= limit && limit < AT_MOST;
  return (
    <Card title="Newest requests" note={query.data ? count(found.length, all.length) : null} flush>
      <PollState query={query} loading={<Skeleton className="m-4 h-64" />}>
        {() => {
          if (all.length === 0) return <NoRequests />;
          if (found.length === 0) return <Empty title={`None of the last ${all.length} requests was decided so`} />;
          return <RequestTable requests={found} withModel={model === null} />;
        }}
      </PollState>
      {hasMore ? (
        <div className="border-line border-t p-3 text-center">
          <Button onClick={() => setLimit(AT_MOST)}>Show the last {AT_MOST}</Button>
        </div>
      ) : null}
    </Card>
  );
}

function count(found: number, all: number): string {
  return found === all ? String(all) : `${found} of the last ${all}`;
}
