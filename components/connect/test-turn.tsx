'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Decision } from '#components/ui/decision.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { formatSeconds } from '#lib/format/duration.ts';
import { newSession, sendTurn, type TurnAnswer } from './send-turn.ts';

type Props = { readonly model: string; readonly ready: boolean };

/** Sends turns of one conversation and shows which replica answered each: with affinity on it stays the same. */
export function TestTurn({ model, ready }: Props) {
  const [session, setSession] = useState<string | null>(null);
  const [answers, setAnswers] = useState<readonly TurnAnswer[]>([]);
  const turn = useMutation({
    mutationFn: (id: string) => sendTurn(model, id),
    onSuccess: (answer) => setAnswers((earlier) => [...earlier, answer]),
  });
  const send = (id: string) => {
    setSession(id);
    turn.mutate(id);
  };
  const restart = () => {
    setAnswers([]);
    send(newSession());
  };
  return (
    <Card title="Test turn">
      <p className="text-muted">
        A small request with a session id, sent from this browser through the router. Send a second one: with affinity
        on it goes to the same replica.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button look="primary" disabled={!ready || turn.isPending} onClick={() => send(session ?? newSession())}>
          {turn.isPending
            ? 'Waiting for the engine…'
            : answers.length === 0
              ? 'Send a test turn'
              : 'Send the next turn'}
        </Button>
        {answers.length > 0 ? (
          <Button disabled={turn.isPending} onClick={restart}>
            New conversation
          </Button>
        ) : null}
      </div>
      {turn.error ? (
        <Notice tone="bad" title="The turn was not served" className="mt-4">
          {turn.error.message}
        </Notice>
      ) : null}
      <div role="status">{answers.length > 0 ? <Answers answers={answers} /> : null}</div>
    </Card>
  );
}

function Answers({ answers }: { readonly answers: readonly TurnAnswer[] }) {
  return (
    <ol aria-label="Turns" className="mt-4 divide-y divide-line border-line border-t tabular-nums">
      {answers.map((answer, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns are only ever appended
        <li key={index} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2">
          <span>
            Turn {index + 1}:{' '}
            <span className="font-semibold">
              {answer.replica === null ? 'replica chosen by the engine' : `replica ${answer.replica}`}
            </span>
          </span>
          <span className="flex items-center gap-2 text-muted text-xs">
            {answer.decision === null ? 'no decision named' : <Decision kind={answer.decision} />}
            {formatSeconds(answer.seconds)}
          </span>
        </li>
      ))}
    </ol>
  );
}
