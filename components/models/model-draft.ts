import type { ModelConfiguration, ModelPatch, NewModel, ProbeResult } from '#lib/contract/managed-models.ts';

/** The form as typed. */
export type ModelDraft = {
  /** One address a line. */
  readonly urls: string;
  /** Empty: none, or the one that is kept. */
  readonly apiKey: string;
  readonly removesKey: boolean;
  readonly name: string;
  readonly servedModel: string;
  /** With commas or line ends between them. */
  readonly aliases: string;
  readonly maxNumSeqs: string;
  readonly affinity: boolean;
  readonly thresholdIsAuto: boolean;
  readonly threshold: string;
  readonly cacheFit: boolean;
};

export type DraftField = 'urls' | 'name' | 'maxNumSeqs' | 'threshold';
export type DraftProblem = 'urls_missing' | 'name_missing' | 'not_a_count';
export type ReadDraft =
  | { readonly kind: 'ready'; readonly model: NewModel }
  | { readonly kind: 'problem'; readonly field: DraftField; readonly problem: DraftProblem };

export const EMPTY_DRAFT: ModelDraft = {
  urls: '',
  apiKey: '',
  removesKey: false,
  name: '',
  servedModel: '',
  aliases: '',
  maxNumSeqs: '',
  affinity: true,
  thresholdIsAuto: true,
  threshold: '8',
  cacheFit: false,
};

/** A form that starts from how the model is configured. */
export function draftOf(model: ModelConfiguration): ModelDraft {
  const { spill_threshold: threshold } = model;
  return {
    ...EMPTY_DRAFT,
    urls: model.urls.join('\n'),
    name: model.name,
    servedModel: model.served_model_name ?? '',
    aliases: model.aliases.join(', '),
    maxNumSeqs: model.max_num_seqs === null ? '' : String(model.max_num_seqs),
    affinity: model.affinity,
    thresholdIsAuto: threshold === 'auto',
    threshold: threshold === 'auto' ? EMPTY_DRAFT.threshold : String(threshold),
    cacheFit: model.cache_fit,
  };
}

/** Fills what nobody has typed yet with what the engines say. */
export function withSuggestion(draft: ModelDraft, suggestion: ProbeResult['suggestion']): ModelDraft {
  if (suggestion === null) return draft;
  const isNew = draft.name === '';
  return {
    ...draft,
    name: isNew ? suggestion.name : draft.name,
    servedModel: draft.servedModel === '' ? suggestion.served_model_name : draft.servedModel,
    aliases: isNew && draft.aliases === '' ? suggestion.aliases.join(', ') : draft.aliases,
    maxNumSeqs:
      draft.maxNumSeqs === '' && suggestion.max_num_seqs !== null ? String(suggestion.max_num_seqs) : draft.maxNumSeqs,
  };
}

export function urlsOf({ urls }: ModelDraft): string[] {
  return urls.split(/[\s,]+/).filter((url) => url !== '');
}

/** What the form asks for, or the first thing that is wrong with it. */
export function readDraft(draft: ModelDraft): ReadDraft {
  const urls = urlsOf(draft);
  if (urls.length === 0) return { kind: 'problem', field: 'urls', problem: 'urls_missing' };
  const name = draft.name.trim();
  if (name === '') return { kind: 'problem', field: 'name', problem: 'name_missing' };
  const maxNumSeqs = draft.maxNumSeqs.trim() === '' ? null : countOf(draft.maxNumSeqs);
  if (Number.isNaN(maxNumSeqs)) return { kind: 'problem', field: 'maxNumSeqs', problem: 'not_a_count' };
  const threshold = draft.thresholdIsAuto ? 'auto' : countOf(draft.threshold);
  if (Number.isNaN(threshold)) return { kind: 'problem', field: 'threshold', problem: 'not_a_count' };
  const served = draft.servedModel.trim();
  return {
    kind: 'ready',
    model: {
      name,
      urls,
      ranks: 'auto',
      aliases: [...new Set(draft.aliases.split(/[,\n]+/).map((alias) => alias.trim()))].filter((alias) => alias !== ''),
      affinity: draft.affinity,
      spill_threshold: threshold,
      cache_fit: draft.cacheFit,
      ...(served === '' ? {} : { served_model_name: served }),
      ...(draft.apiKey === '' ? {} : { api_key: draft.apiKey }),
      ...(maxNumSeqs === null ? {} : { max_num_seqs: maxNumSeqs }),
    },
  };
}

/** What a changed form changes of the model; null where nothing. */
export function patchOf(before: ModelConfiguration, model: NewModel, removesKey: boolean): ModelPatch | null {
  const served = model.served_model_name ?? null;
  const maxNumSeqs = model.max_num_seqs ?? null;
  const same = (a: readonly string[], b: readonly string[]): boolean => a.join('\n') === b.join('\n');
  const patch: ModelPatch = {
    ...(same(model.urls, before.urls) ? {} : { urls: model.urls }),
    ...(served === before.served_model_name ? {} : { served_model_name: served }),
    ...(same(model.aliases, before.aliases) ? {} : { aliases: model.aliases }),
    ...(maxNumSeqs === before.max_num_seqs ? {} : { max_num_seqs: maxNumSeqs }),
    ...(model.affinity === before.affinity ? {} : { affinity: model.affinity }),
    ...(model.spill_threshold === before.spill_threshold ? {} : { spill_threshold: model.spill_threshold }),
    ...(model.cache_fit === before.cache_fit ? {} : { cache_fit: model.cache_fit }),
    ...keyPatch(model.api_key, removesKey),
  };
  return Object.keys(patch).length === 0 ? null : patch;
}

function keyPatch(key: string | undefined, removes: boolean): Pick<ModelPatch, 'api_key'> {
  if (key !== undefined) return { api_key: key };
  return removes ? { api_key: null } : {};
}

function countOf(text: string): number {
  return /^[1-9]\d{0,5}$/.test(text.trim()) ? Number(text) : Number.NaN;
}
