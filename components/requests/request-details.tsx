import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Drawer } from '#components/activity/drawer.tsx';
import { Facts } from '#components/activity/facts.tsx';
import { useMiss } from '#components/activity/use-miss.ts';
import { useReason } from '#components/activity/use-reason.ts';
import { modelHref } from '#components/data/model-name.ts';
import { useFormat } from '#components/language/use-format.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Decision } from '#components/ui/decision.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { TextLink } from '#components/ui/text-link.tsx';
import type { RequestEntry } from '#lib/contract/activity.ts';
import { finishedAt } from './finished-at.ts';

type Props = {
  readonly id: string;
  /** Null where it is not among the requests on screen (any more). */
  readonly request: RequestEntry | null;
  readonly onClose: () => void;
};

/** All that is known of one request. Never its prompt. */
export function RequestDetails({ id, request, onClose }: Props) {
  const t = useTranslations('requests.details');
  // Newer requests push it off the list while it is read.
  const [kept, setKept] = useState(request);
  if (request !== null && request !== kept) setKept(request);
  const shown = request ?? kept;
  return (
    <Drawer title={t('title')} onClose={onClose}>
      <div className="space-y-5 p-4">
        <div>
          <p className="text-muted text-xs">{t('id')}</p>
          <p className="flex items-center gap-1">
            <code className="break-all font-mono text-xs">{id}</code>
            <CopyButton text={id} label={t('copyId')} />
          </p>
        </div>
        {shown === null ? <Empty title={t('notShown')} /> : <Content request={shown} />}
      </div>
    </Drawer>
  );
}

function Content({ request }: { readonly request: RequestEntry }) {
  const t = useTranslations('requests.details');
  const reason = useReason();
  const miss = useMiss()(request.miss, request.miss_code);
  return (
    <>
      <Sentence title={t('why')}>
        <span className="mr-2 inline-block">
          <Decision kind={request.decision} />
        </span>
        {reason(request)}
      </Sentence>
      {miss === null ? null : <Sentence title={t('miss')}>{miss}</Sentence>}
      <Identity request={request} />
      <Measures request={request} />
    </>
  );
}

function Sentence({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-md bg-subtle px-3 py-2.5">
      <h3 className="font-medium text-xs">{title}</h3>
      <p className="mt-1 text-muted">{children}</p>
    </section>
  );
}

function Identity({ request }: { readonly request: RequestEntry }) {
  const t = useTranslations('requests');
  const format = useFormat();
  const { session } = request;
  return (
    <Facts
      label={t('details.title')}
      facts={[
        { name: t('details.accepted'), value: format.dateTime(Date.parse(request.time)) },
        { name: t('details.finished'), value: format.dateTime(Date.parse(finishedAt(request))) },
        {
          name: t('details.model'),
          value: (
            <Link href={modelHref(request.model)} className="break-all hover:underline">
              {request.model}
            </Link>
          ),
        },
        {
          name: t('details.replica'),
          value: request.replica ?? <span className="text-muted">{t('engineChose')}</span>,
        },
        {
          name: t('details.session'),
          value:
            session === null ? (
              <span className="text-muted">{t('details.noSession')}</span>
            ) : (
              <TextLink href={`/sessions?session=${session}`}>{session}</TextLink>
            ),
        },
        {
          name: t('details.source'),
          value: request.session_source ?? <span className="text-muted">{t('details.noSession')}</span>,
        },
        { name: t('details.client'), value: <Reported value={request.client} format={(name) => name} /> },
        { name: t('details.path'), value: <code className="break-all font-mono text-xs">{request.path}</code> },
      ]}
    />
  );
}

function Measures({ request }: { readonly request: RequestEntry }) {
  const t = useTranslations('requests');
  const format = useFormat();
  const { prompt_tokens: prompt, cached_tokens: cached, queued_seconds: queued } = request;
  const tokens = (value: number | null) => <Reported value={value} format={format.exact} />;
  return (
    <Facts
      label={t('details.outcome')}
      facts={[
        { name: t('details.prompt'), value: tokens(prompt) },
        { name: t('details.cachedTokens'), value: tokens(cached) },
        {
          name: t('details.computedTokens'),
          value: tokens(prompt === null || cached === null ? null : prompt - cached),
        },
        { name: t('details.completion'), value: tokens(request.completion_tokens) },
        {
          name: t('details.queued'),
          value: queued === 0 ? t('details.notHeld') : <Reported value={queued} format={format.seconds} />,
        },
        {
          name: t('details.firstByte'),
          value: <Reported value={request.ttfb_seconds} format={format.seconds} why={t('table.noByte')} />,
        },
        { name: t('details.duration'), value: format.seconds(request.duration_seconds) },
        { name: t('details.status'), value: request.status },
        { name: t('details.outcome'), value: t(`outcomes.${request.outcome}`) },
        ...(request.displaced ? [{ name: t('details.displaced'), value: '✓', wide: true }] : []),
      ]}
    />
  );
}
