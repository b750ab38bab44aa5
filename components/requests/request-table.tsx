import clsx from 'clsx';
import Link from 'next/link';
import { modelHref } from '#components/data/model-name.ts';
import { Age } from '#components/ui/age.tsx';
import { Decision } from '#components/ui/decision.tsx';
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
    { header: 'Finished', cell: (request) => <Age time={finishedAt(request)} /> },
    { header: 'Decision', wide: true, cell: decision },
    { header: 'Replica', align: 'end', cell: replica },
    ...(withModel ? [MODEL] : []),
    { header: 'Session', cell: session },
    { header: 'Prompt', unit: 'tokens', align: 'end', cell: prompt },
    {
      header: 'Completion',
      unit: 'tokens',
      align: 'end',
      cell: (request) => <Reported value={request.completion_tokens} format={formatCompact} />,
    },
    { header: 'First byte', unit: 'of total', align: 'end', cell: times },
    { header: 'Status', align: 'end', cell: status },
  ];
  return <Table caption="Newest requests" columns={columns} rows={requests} rowKey={(request) => request.id} />;
}

const MODEL: Column<RequestRow> = {
  header: 'Model',
  cell: (request) => (
    <Link href={modelHref(request.model)} className="block max-w-40 truncate hover:underline" title={request.model}>
      {request.model}
    </Link>
  ),
};

/** Requests are listed as they finish; `time` is when they were accepted. */
function finishedAt(request: RequestRow): string {
  return new Date(Date.parse(request.time) + request.duration_seconds * 1000).toISOString();
}

function decision(request: RequestRow) {
  return (
    <div className="min-w-56 whitespace-normal">
      <Decision kind={request.decision} />
      <p className="mt-0.5 text-muted text-xs leading-4">{request.reason}</p>
    </div>
  );
}

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
      <span className="block text-faint text-xs">
        <Reported
          value={share}
          format={(value) => `${formatPercent(value, 0)} cached`}
          why="The engine did not say how much it had cached"
        />
      </span>
    </span>
  );
}

function times(request: RequestRow) {
  return (
    <span>
      <Reported value={request.ttfb_seconds} format={formatSeconds} why="No byte was sent" />
      <span className="block text-faint text-xs">of {formatSeconds(request.duration_seconds)}</span>
    </span>
  );
}

const OUTCOMES = {
  ok: null,
  client_left: { word: 'client left', tone: 'text-muted' },
  engine_error: { word: 'engine error', tone: 'text-bad' },
  upstream_failed: { word: 'engine failed', tone: 'text-bad' },
} as const;

function status(request: RequestRow) {
  const outcome = OUTCOMES[request.outcome];
  return (
    <span className="tabular-nums">
      {request.status}
      {outcome === null ? null : <span className={clsx('block text-xs', outcome.tone)}>{outcome.word}</span>}
    </span>
  );
}
