import Link from 'next/link';
import { memo, useCallback, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { useMiss } from '#components/activity/use-miss.ts';
import { modelHref } from '#components/data/model-name.ts';
import { type Format, useFormat } from '#components/language/use-format.ts';
import { Age } from '#components/ui/age.tsx';
import { Decision } from '#components/ui/decision.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { type Column, Table, type TableState } from '#components/ui/table.tsx';
import type { SessionEntry } from '#lib/contract/activity.ts';
import { SESSION_STATES, stateOf } from './session-filter.ts';
import { SessionState } from './session-state.tsx';

type Props = {
  readonly sessions: readonly SessionEntry[];
  readonly withModel: boolean;
  readonly state?: TableState;
  readonly pageSize?: number;
  /** The key of the session whose panel is open. */
  readonly opened?: string | null;
  readonly onOpen: (key: string) => void;
};

/**
 * Who lives where. The key is a shortened hash: the client's own id is never here. Hundreds of rows: each is drawn anew
 * only when its session changes.
 */
export const SessionTable = memo(function SessionTable({ sessions, withModel, onOpen, ...rest }: Props) {
  const t = useTranslations('sessions');
  const format = useFormat();
  const miss = useMiss();
  const columns = useMemo(
    () => columnsOf({ t, format, miss, onOpen }, withModel),
    [t, format, miss, onOpen, withModel],
  );
  const openRow = useCallback(({ key }: SessionEntry) => onOpen(key), [onOpen]);
  return <Table caption={t('live')} columns={columns} rows={sessions} rowKey={keyOf} onOpen={openRow} {...rest} />;
});

function keyOf({ key }: SessionEntry): string {
  return key;
}

type Words = {
  readonly t: ReturnType<typeof useTranslations<'sessions'>>;
  readonly format: Format;
  readonly miss: ReturnType<typeof useMiss>;
  readonly onOpen: (key: string) => void;
};

function columnsOf(words: Words, withModel: boolean): [Column<SessionEntry>, ...Column<SessionEntry>[]] {
  const { t, onOpen } = words;
  const session: Column<SessionEntry> = {
    id: 'session',
    header: t('table.session'),
    sortBy: ({ key }) => key,
    cell: ({ key }) => (
      <button
        type="button"
        aria-haspopup="dialog"
        aria-label={t('table.open', { session: key })}
        onClick={() => onOpen(key)}
        className="rounded font-mono text-accent text-xs underline decoration-line-strong underline-offset-3 hover:decoration-current"
      >
        {key}
      </button>
    ),
  };
  return [session, ...(withModel ? [modelColumn(t)] : []), ...whereColumns(words), ...turnColumns(words)];
}

function modelColumn(t: Words['t']): Column<SessionEntry> {
  return {
    id: 'model',
    header: t('table.model'),
    sortBy: ({ model }) => model,
    cell: ({ model }) => (
      <Link href={modelHref(model)} className="block max-w-40 truncate hover:underline" title={model}>
        {model}
      </Link>
    ),
  };
}

function whereColumns({ t }: Words): Column<SessionEntry>[] {
  return [
    {
      id: 'client',
      header: t('table.client'),
      sortBy: ({ client }) => client,
      cell: ({ client, source }) => (
        <span>
          {client ?? <span className="text-muted">{t('unknownClient')}</span>}
          <span className="block text-faint text-xs">{source}</span>
        </span>
      ),
    },
    {
      id: 'home',
      header: t('table.home'),
      align: 'end',
      sortBy: ({ home }) => home,
      cell: ({ home }) =>
        home === null ? (
          <span className="text-muted">{t('table.noHome')}</span>
        ) : (
          <span className="font-semibold tabular-nums">{home}</span>
        ),
    },
    {
      id: 'state',
      header: t('table.state'),
      // Held ones first, those next in line before the others.
      sortBy: (session) => SESSION_STATES.indexOf(stateOf(session)) * 1e6 + (session.queue_position ?? 0),
      cell: (session) => <SessionState session={session} />,
    },
  ];
}

function turnColumns({ t, format, miss }: Words): Column<SessionEntry>[] {
  const exact = (id: 'turns' | 'spills'): Column<SessionEntry> => ({
    id,
    header: t(`table.${id}`),
    align: 'end',
    sortBy: (session) => session[id],
    cell: (session) => format.exact(session[id]),
  });
  return [
    exact('turns'),
    {
      id: 'context',
      header: t('table.context'),
      unit: t('table.tokens'),
      align: 'end',
      sortBy: ({ context_tokens }) => context_tokens,
      cell: ({ context_tokens }) => <Reported value={context_tokens} format={format.compact} />,
    },
    {
      id: 'cached',
      header: t('table.cached'),
      unit: t('table.ofLastTurn'),
      align: 'end',
      sortBy: ({ last_hit_percent }) => last_hit_percent,
      cell: ({ last_hit_percent }) => (
        <Reported value={last_hit_percent} format={(share) => format.percent(share, 0)} />
      ),
    },
    exact('spills'),
    {
      id: 'seen',
      header: t('table.lastSeen'),
      align: 'end',
      sortBy: ({ last_seen }) => Date.parse(last_seen),
      cell: ({ last_seen }) => <Age time={last_seen} />,
    },
    {
      header: t('table.lastTurn'),
      wide: true,
      cell: ({ last_decision, last_miss, last_miss_code }) => (
        <div className={last_miss === null ? undefined : 'min-w-44 whitespace-normal'}>
          {last_decision === null ? (
            <span className="text-muted">{t('table.noTurn')}</span>
          ) : (
            <Decision kind={last_decision} />
          )}
          {last_miss === null ? null : (
            <p className="mt-0.5 text-muted text-xs leading-4">{miss(last_miss, last_miss_code)}</p>
          )}
        </div>
      ),
    },
  ];
}
