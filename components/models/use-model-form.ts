import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useModelSave, useProbe } from '#components/data/managed-models.ts';
import type { ModelConfiguration } from '#lib/contract/managed-models.ts';
import {
  type DraftField,
  draftOf,
  EMPTY_DRAFT,
  type ModelDraft,
  patchOf,
  readDraft,
  urlsOf,
  withSuggestion,
} from './model-draft.ts';

export type FormField = DraftField | 'aliases' | 'apiKey';

/** The fields of the API, as the form calls them. */
const FIELDS: Readonly<Record<string, FormField>> = {
  urls: 'urls',
  name: 'name',
  aliases: 'aliases',
  api_key: 'apiKey',
  max_num_seqs: 'maxNumSeqs',
  spill_threshold: 'threshold',
};

/** The state of the form that adds or changes a model. `model` null: a new one. */
export function useModelForm(model: ModelConfiguration | null, onSaved: (saved: ModelConfiguration) => void) {
  const t = useTranslations('models.editor.problem');
  // The model is polled while the form is open: what was changed in the form is told by what it began with, or a
  // setting that somebody changed elsewhere meanwhile would be set back.
  const [before] = useState(model);
  const [draft, setDraft] = useState<ModelDraft>(() => (before === null ? EMPTY_DRAFT : draftOf(before)));
  const [isTried, setTried] = useState(false);
  const [askedFor, setAskedFor] = useState('');
  const probe = useProbe();
  const save = useModelSave(model?.name ?? null, onSaved);
  const read = readDraft(draft);
  const isAsked = model !== null || probe.data !== undefined;
  const failedField = FIELDS[save.error?.field ?? ''];

  /** Asks the engines; `generate`: also for a token. */
  const ask = (generate: boolean): void => {
    if (urlsOf(draft).length === 0) {
      setTried(true);
      return;
    }
    setAskedFor(engineOf(draft));
    const request = {
      urls: urlsOf(draft),
      generate,
      ...keyOf(draft),
      ...(model === null ? {} : { model: model.name }),
      ...(generate && draft.servedModel !== '' ? { served_model_name: draft.servedModel } : {}),
    };
    probe.mutate(request, { onSuccess: ({ suggestion }) => setDraft((now) => withSuggestion(now, suggestion)) });
  };

  return {
    draft,
    probe,
    isAsked,
    isBusy: probe.isPending || save.isPending,
    isSaving: save.isPending,
    isTesting: probe.isPending && probe.variables.generate === true,
    /** What was found belongs to other addresses than those in the form now. */
    isStale: askedFor !== engineOf(draft),
    /** What no field can show. */
    failure: failedField === undefined ? save.error : null,
    ask,
    change(part: Partial<ModelDraft>): void {
      save.reset();
      setDraft({ ...draft, ...part });
    },
    problemOf(field: FormField): string | null {
      if (save.error !== null && failedField === field) return save.error.detail;
      return isTried && read.kind === 'problem' && read.field === field ? t(read.problem) : null;
    },
    submit(): void {
      if (!isAsked) {
        ask(false);
        return;
      }
      setTried(true);
      if (read.kind === 'problem') return;
      const body = before === null ? read.model : patchOf(before, read.model, draft.removesKey);
      if (body !== null) save.mutate(body);
      else if (before !== null) onSaved(before);
    },
  };
}

/** Left out, the router uses the key that it keeps. */
function keyOf({ apiKey, removesKey }: ModelDraft): { api_key?: string | null } {
  if (apiKey !== '') return { api_key: apiKey };
  return removesKey ? { api_key: null } : {};
}

/** What an answer of the engines depends on. */
function engineOf({ urls, apiKey, removesKey }: ModelDraft): string {
  return JSON.stringify([urls, apiKey, removesKey]);
}
