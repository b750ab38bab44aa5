'use client';

import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRoutingChange } from '#components/data/changes.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { Confirm } from '#components/ui/confirm.tsx';
import { Toggle } from '#components/ui/toggle.tsx';

type Props = {
  readonly model: string;
  /** The setting that it turns on and off. */
  readonly setting: 'affinity' | 'cache_fit';
  readonly checked: boolean;
  readonly label: string;
  readonly describedBy?: string;
  /** What is asked before it is turned off, where `asksFirst`: somebody would feel it now. */
  readonly question: { readonly title: string; readonly text: ReactNode; readonly confirm: string };
  readonly asksFirst: boolean;
};

/** Turns a routing setting on and off. Shows the wish at once; a failed change falls back to what is in force, and says so. */
export function AskingToggle({ model, setting, checked, label, describedBy, question, asksFirst }: Props) {
  const t = useTranslations('model.routing');
  const words = useFailureWords();
  const change = useRoutingChange(model);
  const [asking, setAsking] = useState(false);
  const wished = change.isPending ? change.variables[setting] : undefined;
  const choose = (on: boolean) => {
    if (!on && asksFirst) setAsking(true);
    else change.mutate({ [setting]: on });
  };
  return (
    <>
      {change.error ? (
        <p role="alert" className="text-bad">
          {t('notChanged', { why: words(change.error).detail })}
        </p>
      ) : null}
      <Toggle
        label={label}
        checked={wished ?? checked}
        busy={change.isPending}
        onChange={choose}
        {...(describedBy === undefined ? {} : { describedBy })}
      />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={question.title}
        description={question.text}
        confirm={question.confirm}
        onConfirm={() => change.mutate({ [setting]: false })}
      />
    </>
  );
}
