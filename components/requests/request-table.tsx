import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'use-intl';
import { useReason } from '#components/activity/use-reason.ts';
import { modelHref } from '#components/data/model-name.ts';
import { type Format, useFormat } from '#components/language/use-format.ts';
import { Age } from '#components/ui/age.tsx';
import { Decision } from '#components/ui/decision.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import type { RequestEntry } from '#lib/contract/activity.ts';
import { finishedAt } from './finished-at.ts';

type Props = {
  readonly caption: string;
  readonly requests: readonly RequestEntry[];
  readonly withModel: boolean;
  /** The id of the request whose details are open. */
  readonly opened: string | null;
  readonly onOpen: (id: string) => void;
};

/** Why a request went where it went. */
export function RequestTable({ caption, requests, withModel, opened, onOpen }: Props) {
  const t = useTranslations('requests');
  const format = useFormat();
  const reason = useReason();
  const words = { t, format, reason };
  const columns: [Column<RequestEntry>, ...Column<RequestEntry>[]] = [
    {
      header: t('table.finished'),
      cell: (request) => (
        <button
          type="button"
          aria-haspopup="dialog"
          title={t('table.open', { id: request.id })}
          onClick={() => onOpen(request.id)}
          className="rounded text-accent underline decoration-line-strong underline-offset-3 hover:decoration-current"
        >
          <Age time={finishedAt(request)} />
        </button>
      ),
    },
    ...routeColumns(words),
    ...(withModel ? [modelColumn(words)] : []),
    ...measureColumns(words),
  ];
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={requests}
      rowKey={({ id }) => id}
      opened={opened}
      onOpen={({ id }) => onOpen(id)}
    />
  );
}

type Words = {
  readonly t: ReturnType<typeof useTranslations<'requests'>>;
  readonly format: Format;
  readonly reason: ReturnType<typeof useReason>;
};

function routeColumns({ t, reason }: Words): Column<RequestEntry>[] {
  return [
    {
      header: t('table.decision'),
      wide: true,
      cell: (request) => (
        <div className="min-w-56 whitespace-normal">
          <Decision kind={request.decision} />
          <p className="mt-0.5 text-muted text-xs leading-4">{reason(request)}</p>
        </div>
      ),
    },
    {
      header: t('table.replica'),
      align: 'end',
      cell: ({ replica }) =>
        replica === null ? (
          <span className="text-muted">{t('table.engines')}</span>
        ) : (
          <span className="font-semibold tabular-nums">{replica}</span>
        ),
    },
    {
      header: t('table.session'),
      cell: ({ session, client, path }) => (
        <span>
          {session === null ? (
            <span className="text-muted">{t('table.noKey')}</span>
          ) : (
            <Link
              href={`/sessions?session=${session}`}
              className="rounded font-mono text-xs underline decoration-line-strong underline-offset-3 hover:decoration-current"
            >
              {session}
            </Link>
          )}
          <span className="block text-faint text-xs">{client ?? path}</span>
        </span>
      ),
    },
  ];
}

function modelColumn({ t }: Words): Column<RequestEntry> {
  return {
    header: t('table.model'),
    cell: ({ model }) => (
      <Link href={modelHref(model)} className="block max-w-40 truncate hover:underline" title={model}>
        {model}
      </Link>
    ),
  };
}

function measureColumns(words: Words): Column<RequestEntry>[] {
  const { t, format } = words;
  return [
    {
      header: t('table.prompt'),
      unit: t('table.tokens'),
      align: 'end',
      cell: (request) => prompt(request, words),
    },
    {
      header: t('table.completion'),
      unit: t('table.tokens'),
      align: 'end',
      cell: ({ completion_tokens }) => <Reported value={completion_tokens} format={format.compact} />,
    },
    {
      header: t('table.firstByte'),
      unit: t('table.ofTotal'),
      align: 'end',
      cell: (request) => times(request, words),
    },
    { header: t('table.status'), align: 'end', cell: (request) => status(request, words) },
  ];
}

function prompt({ prompt_tokens, cached_tokens }: RequestEntry, { t, format }: Words) {
  const isMeasured = prompt_tokens !== null && cached_tokens !== null && prompt_tokens > 0;
  return (
    <span>
      <Reported value={prompt_tokens} format={format.compact} />
      <span className="block text-faint text-xs">
        <Reported
          value={isMeasured ? (100 * cached_tokens) / prompt_tokens : null}
          format={(share) => t('table.cached', { share: format.percent(share, 0) })}
          why={t('table.noShare')}
        />
      </span>
    </span>
  );
}

function times({ ttfb_seconds, duration_seconds, queued_seconds }: RequestEntry, { t, format }: Words) {
  return (
    <span>
      <Reported value={ttfb_seconds} format={format.seconds} why={t('table.noByte')} />
      <span className="block text-faint text-xs">{t('table.of', { time: format.seconds(duration_seconds) })}</span>
      {queued_seconds !== null && queued_seconds > 0 ? (
        <span className="block text-warn text-xs">{t('table.held', { time: format.seconds(queued_seconds) })}</span>
      ) : null}
    </span>
  );
}

function status({ status: code, outcome }: RequestEntry, { t }: Words) {
  return (
    <span className="tabular-nums">
      <span className={code >= 400 ? 'text-bad' : undefined}>{code}</span>
      {outcome === 'ok' ? null : (
        <span className={clsx('block text-xs', outcome === 'client_left' ? 'text-muted' : 'text-bad')}>
          {t(`outcomes.${outcome}`)}
        </span>
      )}
    </span>
  );
}
