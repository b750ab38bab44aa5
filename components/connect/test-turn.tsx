'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useReason } from '#components/activity/use-reason.ts';
import { useConnectFacts } from '#components/data/activity.ts';
import { useFormat } from '#components/language/use-format.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Decision } from '#components/ui/decision.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { RequestEntry } from '#lib/contract/activity.ts';
import { newId, requestOf, sendTurn, type TurnAnswer, TurnRefused } from './send-turn.ts';

type Props = {
  readonly model: string;
  readonly ready: boolean;
  /** Told the request id of each turn before it is sent. */
  readonly onSent: (id: string) => void;
};

type Turn = TurnAnswer & { readonly request: RequestEntry | null };

/** Sends turns of one conversation and shows which replica answered each, and why: with affinity on it stays the same. */
export function TestTurn({ model, ready, onSent }: Props) {
  const t = useTranslations('connect.test');
  const [session, setSession] = useState<string | null>(null);
  const [turns, setTurns] = useState<readonly Turn[]>([]);
  const [key, setKey] = useState('');
  const turn = useMutation({
    mutationFn: (sent: { session: string; id: string }) => sendTurn({ model, key, ...sent }),
    onSuccess: async (answer) => {
      setTurns((earlier) => [...earlier, { ...answer, request: null }]);
      // Why it went there is an extra: the answer stands without it.
      const request = await requestOf(model, answer.id).catch(() => null);
      setTurns((all) => all.map((one) => (one.id === answer.id ? { ...one, request } : one)));
    },
  });
  const send = (of: string) => {
    const id = newId();
    setSession(of);
    onSent(id);
    turn.mutate({ session: of, id });
  };
  const restart = () => {
    setTurns([]);
    send(newId());
  };
  return (
    <Card title={t('title')}>
      <p className="text-muted">{t('what')}</p>
      {ready ? <KeyField model={model} value={key} onChange={setKey} /> : null}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button look="primary" disabled={!ready || turn.isPending} onClick={() => send(session ?? newId())}>
          {t(turn.isPending ? 'waiting' : turns.length === 0 ? 'send' : 'sendNext')}
        </Button>
        {turns.length > 0 ? (
          <Button disabled={turn.isPending} onClick={restart}>
            {t('restart')}
          </Button>
        ) : null}
      </div>
      {turn.error ? <Refused error={turn.error} /> : null}
      <div role="status">{turns.length > 0 ? <Turns turns={turns} /> : null}</div>
    </Card>
  );
}

type KeyProps = { readonly model: string; readonly value: string; readonly onChange: (key: string) => void };

/** Only where a request without a key is refused. */
function KeyField({ model, value, onChange }: KeyProps) {
  const t = useTranslations('connect.test');
  const facts = useConnectFacts(model);
  if (facts.data?.key_required !== true) return null;
  return (
    <label className="mt-3 block">
      <span className="text-muted text-xs">{t('key')}</span>
      <input
        type="password"
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.target.value.trim())}
        className="mt-1 h-8 w-full rounded-md border border-line-strong bg-raised px-2.5 font-mono"
      />
    </label>
  );
}

function Refused({ error }: { readonly error: Error }) {
  const t = useTranslations('connect.test');
  const why =
    error instanceof TurnRefused
      ? error.detail === null
        ? t('status', { status: String(error.status) })
        : `${error.status}: ${error.detail}`
      : t('unreachable');
  return (
    <Notice tone="bad" title={t('refused')} className="mt-4">
      {why}
    </Notice>
  );
}

function Turns({ turns }: { readonly turns: readonly Turn[] }) {
  const t = useTranslations('connect.test');
  const format = useFormat();
  const reason = useReason();
  return (
    <ol aria-label={t('turns')} className="mt-4 divide-y divide-line border-line border-t tabular-nums">
      {turns.map(({ id, replica, decision, seconds, request }, index) => (
        <li key={id} className="py-2">
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <span>
              {t.rich(replica === null ? 'turnByEngine' : 'turn', {
                number: format.exact(index + 1),
                replica: String(replica),
                strong: (words) => <span className="font-semibold">{words}</span>,
              })}
            </span>
            <span className="flex items-center gap-2 text-muted text-xs">
              {decision === null ? t('noDecision') : <Decision kind={decision} />}
              {format.seconds(seconds)}
            </span>
          </div>
          <p className="mt-0.5 min-h-5 text-muted text-xs">{request === null ? null : reason(request)}</p>
        </li>
      ))}
    </ol>
  );
}
