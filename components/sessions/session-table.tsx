import Link from 'next/link';
import { modelHref } from '#components/data/model-name.ts';
import { Age } from '#components/ui/age.tsx';
import { Decision } from '#components/ui/decision.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import type { SessionList } from '#lib/contract/activity.ts';
import { formatPercent } from '#lib/format/percent.ts';
import { formatCompact, formatExact } from '#lib/format/tokens.ts';

export type Session = SessionList['sessions'][number];

type Props = { readonly sessions: readonly Session[]; readonly withModel: boolean };

/** Who lives where. The key is a shortened hash: the client's own id is never here. */
export function SessionTable({ sessions, withModel }: Props) {
  const columns: [Column<Session>, ...Column<Session>[]] = [
    { header: 'Session', cell: (session) => <code className="font-mono text-xs">{session.key}</code> },
    ...(withModel ? [MODEL] : []),
    { header: 'Client', cell: client },
    {
      header: 'Home',
      align: 'end',
      cell: (session) => <span className="font-semibold tabular-nums">{session.home ?? '…'}</span>,
    },
    { header: 'Turns', align: 'end', cell: (session) => formatExact(session.turns) },
    {
      header: 'Context',
      unit: 'tokens',
      align: 'end',
      cell: (session) => <Reported value={session.context_tokens} format={formatCompact} />,
    },
    {
      header: 'Last hit',
      align: 'end',
      cell: (session) => <Reported value={session.last_hit_percent} format={(share) => formatPercent(share, 0)} />,
    },
    { header: 'Spills', align: 'end', cell: (session) => formatExact(session.spills) },
    { header: 'In flight', align: 'end', cell: (session) => formatExact(session.in_flight) },
    { header: 'Last turn', wide: true, cell: lastTurn },
    { header: 'Last seen', align: 'end', cell: (session) => <Age time={session.last_seen} /> },
  ];
  return (
    <Table
      caption="Live sessions"
      columns={columns}
      rows={sessions}
      rowKey={(session) => `${session.model} ${session.key}`}
    />
  );
}

const MODEL: Column<Session> = {
  header: 'Model',
  cell: (session) => (
    <Link href={modelHref(session.model)} className="block max-w-40 truncate hover:underline" title={session.model}>
      {session.model}
    </Link>
  ),
};

function client(session: Session) {
  return (
    <span>
      {session.client ?? <span className="text-muted">unknown</span>}
      <span className="block text-faint text-xs">{session.source}</span>
    </span>
  );
}

/** Where the last turn went, and why it had to compute what was in a cache before. */
function lastTurn({ last_decision, last_miss }: Session) {
  return (
    <div className={last_miss === null ? undefined : 'min-w-56 whitespace-normal'}>
      {last_decision === null ? <span className="text-muted">none yet</span> : <Decision kind={last_decision} />}
      {last_miss === null ? null : <p className="mt-0.5 text-muted text-xs leading-4">{last_miss}</p>}
    </div>
  );
}
