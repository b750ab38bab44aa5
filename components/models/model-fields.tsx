import { useTranslations } from 'use-intl';
import { Segmented } from '#components/ui/segmented.tsx';
import { Select } from '#components/ui/select.tsx';
import { Toggle } from '#components/ui/toggle.tsx';
import type { ModelDraft } from './model-draft.ts';
import { TextField } from './text-field.tsx';
import type { FormField } from './use-model-form.ts';

type Props = {
  readonly draft: ModelDraft;
  readonly onChange: (change: Partial<ModelDraft>) => void;
  /** A name is given once. */
  readonly isNew: boolean;
  readonly servedModels: readonly string[];
  readonly problemOf: (field: FormField) => string | null;
};

/** What the model is called and how it is routed. */
export function ModelFields({ draft, onChange, isNew, servedModels, problemOf }: Props) {
  const t = useTranslations('models.editor');
  return (
    <div className="grid gap-x-4 gap-y-3.5 sm:grid-cols-2">
      <TextField
        label={t('name')}
        value={draft.name}
        onChange={(name) => onChange({ name })}
        hint={t(isNew ? 'nameHint' : 'nameFixed')}
        problem={problemOf('name')}
        readOnly={!isNew}
        required
      />
      <TextField
        label={t('aliases')}
        value={draft.aliases}
        onChange={(aliases) => onChange({ aliases })}
        hint={t('aliasesHint')}
        problem={problemOf('aliases')}
      />
      <ServedModel draft={draft} onChange={onChange} servedModels={servedModels} />
      <TextField
        label={t('maxNumSeqs')}
        value={draft.maxNumSeqs}
        onChange={(maxNumSeqs) => onChange({ maxNumSeqs })}
        hint={t('maxNumSeqsHint')}
        problem={problemOf('maxNumSeqs')}
        kind="count"
      />
      <RoutingFields draft={draft} onChange={onChange} problem={problemOf('threshold')} />
    </div>
  );
}

/** A choice where the engines serve several, a field where they serve none that is known. */
function ServedModel({ draft, onChange, servedModels }: Pick<Props, 'draft' | 'onChange' | 'servedModels'>) {
  const t = useTranslations('models.editor');
  const all =
    draft.servedModel === '' || servedModels.includes(draft.servedModel)
      ? servedModels
      : [draft.servedModel, ...servedModels];
  if (all.length < 2) {
    return (
      <TextField
        label={t('served')}
        value={draft.servedModel}
        onChange={(servedModel) => onChange({ servedModel })}
        hint={t('servedHint')}
      />
    );
  }
  return (
    <div className="min-w-0">
      <span aria-hidden="true" className="mb-1 block font-medium">
        {t('served')}
      </span>
      <Select
        label={t('served')}
        value={draft.servedModel}
        options={all.map((id) => ({ value: id, label: id }))}
        onChange={(servedModel) => onChange({ servedModel })}
        className="w-full"
      />
      <p className="mt-1 text-muted text-xs">{t('servedHint')}</p>
    </div>
  );
}

type RoutingProps = Pick<Props, 'draft' | 'onChange'> & { readonly problem: string | null };

function RoutingFields({ draft, onChange, problem }: RoutingProps) {
  const t = useTranslations('models.editor');
  return (
    <fieldset className="flex flex-wrap items-start gap-x-6 gap-y-3 sm:col-span-2">
      <legend className="sr-only">{t('routing')}</legend>
      <Toggle label={t('affinity')} checked={draft.affinity} onChange={(affinity) => onChange({ affinity })} />
      <Toggle label={t('cacheFit')} checked={draft.cacheFit} onChange={(cacheFit) => onChange({ cacheFit })} />
      <div className="flex flex-wrap items-center gap-2.5">
        <span className="font-medium">{t('threshold')}</span>
        <Segmented
          label={t('threshold')}
          value={draft.thresholdIsAuto ? 'auto' : 'number'}
          options={[
            { value: 'auto', label: t('thresholdAuto') },
            { value: 'number', label: t('thresholdNumber') },
          ]}
          onChange={(value) => onChange({ thresholdIsAuto: value === 'auto' })}
        />
        {draft.thresholdIsAuto ? null : (
          <input
            aria-label={t('thresholdCount')}
            aria-invalid={problem !== null}
            inputMode="numeric"
            autoComplete="off"
            value={draft.threshold}
            onChange={(event) => onChange({ threshold: event.target.value })}
            className="h-8 w-16 rounded-md border border-line-strong bg-canvas px-2.5 tabular-nums aria-invalid:border-bad"
          />
        )}
        {problem === null ? null : <span className="text-bad text-xs">{problem}</span>}
      </div>
    </fieldset>
  );
}
