import Link from 'next/link';
import { modelHref } from '#components/data/url-state.ts';
import { Age } from '#components/ui/age.tsx';
import { Decision } from '#components/ui/decision.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import type { RequestList } from '#lib/contract/activity.ts';
import { formatSeconds } from '#lib/format/duration.ts';
import { formatPercent } from '#lib/format/percent.ts';
import { formatCompact } from '#lib/format/tokens.ts';

export type RequestRow = RequestList['requests'][number];

type Props = { readonly requests: readonly RequestRow[]; readonly withModel: boolean };

/** Why a request went where it went. */
export function RequestTable({ requests, withModel }: Props) {
  const columns: [Column<RequestRow>, ...Column<RequestRow>[]] = [
    { header: 'When', cell: (request) => <Age time={request.time} /> },
    { header: 'Decision', cell: (request) => <Decision kind={request.decision} /> },
    { header: 'Replica', align: 'end', cell: replica },
    { header: 'Why', wide: true, cell: (request) => <span className="text-muted">{request.reason}</span> },
    ...(withModel ? [MODEL] : []),
    { header: 'Session', cell: session },
    { header: 'Prompt', unit: 'tokens, cached', align: 'end', cell: prompt },
    {
      header: 'Completion',
      unit: 'tokens',
      align: 'end',
      cell: (request) => <Reported value={request.completion_tokens} format={formatCompact} />,
    },
    {
      header: 'First byte',
      align: 'end',
      cell: (request) => <Reported value={request.ttfb_seconds} format={formatSeconds} why="No byte was sent" />,
    },
    { header: 'Duration', align: 'end', cell: (request) => formatSeconds(request.duration_seconds) },
    { header: 'Status', align: 'end', cell: status },
  ];
  return <Table caption="Newest requests" columns={columns} rows={requests} rowKey={(request) => request.id} />;
}

const MODEL: Column<RequestRow> = {
  header: 'Model',
  cell: (request) => (
    <Link href={modelHref(request.model)} className="block max-w-48 truncate hover:underline" title={request.model}>
      {request.model}
    </Link>
  ),
};

function replica(request: RequestRow) {
  if (request.replica !== null) return <span className="font-semibold tabular-nums">{request.replica}</span>;
  return <span className="text-muted">engine's</span>;
}

function session(request: RequestRow) {
  return (
    <span>
      {request.session === null ? (
        <span className="text-muted">no key</span>
      ) : (
        <code className="font-mono text-xs">{request.session}</code>
      )}
      <span className="block text-faint text-xs">{request.client ?? request.path}</span>
    </span>
  );
}

function prompt(request: RequestRow) {
  const { prompt_tokens, cached_tokens } = request;
  const share =
    prompt_tokens !== null && cached_tokens !== null && prompt_tokens > 0
      ? (100 * cached_tokens) / prompt_tokens
      : null;
  return (
    <span>
      <Reported value={prompt_tokens} format={formatCompact} />
      <span className="text-muted">
        {', '}
        <Reported
          value={share}
          format={(value) => formatPercent(value, 0)}
          why="The engine did not say how much it had cached"
        />
      </span>
    </span>
  );
}

const OUTCOMES = {
  ok: null,
  client_left: { word: 'client left', tone: 'plain' },
  engine_error: { word: 'engine error', tone: 'bad' },
  upstream_failed: { word: 'upstream failed', tone: 'bad' },
} as const;

function status(request: RequestRow) {
  const outcome = OUTCOMES[request.outcome];
  return (
    <span className="inline-flex items-center gap-2 tabular-nums">
      {outcome === null ? null : <Pill tone={outcome.tone}>{outcome.word}</Pill>}
      {request.status}
    </span>
  );
}
