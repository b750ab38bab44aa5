import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFailureWords } from '#components/data/failure-words.ts';
import { useModels } from '#components/data/queries.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Select } from '#components/ui/select.tsx';
import { useKeyMaking } from './changes.ts';
import { EMPTY_KEY, EXPIRIES, type KeyDraft, keyProblems, keyWish } from './key-draft.ts';
import { KeyModels } from './key-models.tsx';
import { MadeKey } from './made-key.tsx';
import { TextInput } from './text-input.tsx';

/** Makes a key and shows it, once. */
export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('access.newKey');
  const making = useKeyMaking();
  const made = making.data;
  const title = made === undefined ? t('title') : t('madeTitle', { name: made.key.name });
  return (
    <Dialog open onOpenChange={onClose} title={title} insists={made !== undefined}>
      {made === undefined ? (
        <KeyForm making={making} onClose={onClose} />
      ) : (
        <MadeKey name={made.key.name} secret={made.secret} onClose={onClose} />
      )}
    </Dialog>
  );
}

type FormProps = { readonly making: ReturnType<typeof useKeyMaking>; readonly onClose: () => void };

function KeyForm({ making, onClose }: FormProps) {
  const t = useTranslations('access.newKey');
  const ui = useTranslations('ui');
  const words = useFailureWords();
  const names = useModels().data?.models.map(({ name }) => name) ?? [];
  const [draft, setDraft] = useState<KeyDraft>(EMPTY_KEY);
  const [isTried, setTried] = useState(false);
  const problems = keyProblems(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const wish = keyWish(draft, Date.now());
    if (wish !== null) making.mutate(wish);
  };
  const say = (problem: (typeof problems)[keyof typeof problems]) => (isTried && problem ? t(problem) : null);
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      {making.error ? (
        <Notice tone="bad" title={words(making.error).title}>
          {words(making.error).detail}
        </Notice>
      ) : null}
      <TextInput
        label={t('name')}
        value={draft.name}
        onChange={(name) => setDraft({ ...draft, name })}
        hint={t('nameHint')}
        problem={say(problems.name)}
        maxLength={100}
        autoComplete="off"
      />
      <KeyModels
        names={names}
        chosen={draft.models}
        onChange={(models) => setDraft({ ...draft, models })}
        problem={say(problems.models)}
      />
      <div>
        <span className="mb-1 block font-medium">{t('expires')}</span>
        <Select
          label={t('expires')}
          value={draft.expiry}
          options={EXPIRIES.map((value) => ({ value, label: t(`expiry.${value}`) }))}
          onChange={(value) => setDraft({ ...draft, expiry: EXPIRIES.find((one) => one === value) ?? draft.expiry })}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextInput
          label={t('perMinute')}
          value={draft.perMinute}
          inputMode="numeric"
          autoComplete="off"
          onChange={(perMinute) => setDraft({ ...draft, perMinute })}
          hint={t('limitHint')}
          problem={say(problems.perMinute)}
        />
        <TextInput
          label={t('concurrent')}
          value={draft.concurrent}
          inputMode="numeric"
          autoComplete="off"
          onChange={(concurrent) => setDraft({ ...draft, concurrent })}
          hint={t('limitHint')}
          problem={say(problems.concurrent)}
        />
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{ui('cancel')}</Button>
        <Button type="submit" look="primary" disabled={making.isPending}>
          {t('submit')}
        </Button>
      </div>
    </form>
  );
}
