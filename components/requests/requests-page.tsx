'use client';

import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { ModelPicker } from '#components/data/model-picker.tsx';
import { useRequests } from '#components/data/queries.ts';
import { useModelFilter } from '#components/data/url-state.ts';
import { Card } from '#components/ui/card.tsx';
import { DECISIONS } from '#components/ui/decision.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Select } from '#components/ui/select.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { decisionKind } from '#lib/contract/activity.ts';
import { NoRequests } from './no-requests.tsx';
import { RequestTable } from './request-table.tsx';

const LIMIT = 100;
const KINDS = decisionKind.options;
const OPTIONS = [
  { value: '', label: 'All decisions' },
  ...KINDS.map((kind) => ({ value: kind, label: DECISIONS[kind].word })),
];

/** The newest finished requests of all models, or of one. */
export function RequestsPage() {
  const [model] = useModelFilter();
  const [decision, setDecision] = useQueryState('decision', parseAsStringLiteral(KINDS));
  const query = useRequests(model, LIMIT);
  const found = (query.data?.requests ?? []).filter((request) => decision === null || request.decision === decision);
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
      <Card
        title="Newest requests"
        note={query.data ? `${found.length} of the last ${query.data.requests.length}` : null}
        flush
      >
        <PollState query={query} loading={<Skeleton className="m-4 h-64" />}>
          {({ requests }) => {
            if (requests.length === 0) return <NoRequests />;
            if (found.length === 0) return <Empty title="None of the newest requests was decided so" />;
            return <RequestTable requests={found} withModel={model === null} />;
          }}
        </PollState>
      </Card>
    </div>
  );
}
