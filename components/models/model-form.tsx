import { useTranslations } from 'use-intl';
import type { ApiError } from '#components/data/client.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { ModelConfiguration } from '#lib/contract/managed-models.ts';
import { EngineFields } from './engine-fields.tsx';
import { FoundEngines } from './found-engines.tsx';
import { ModelFields } from './model-fields.tsx';
import { useModelForm } from './use-model-form.ts';

type Props = {
  /** The model that is changed; null for a new one. */
  readonly model: ModelConfiguration | null;
  readonly onSaved: (saved: ModelConfiguration) => void;
};

/** Adds or changes a model: where its engines are, what they say they are, what it is called, a test, and the save. */
export function ModelForm({ model, onSaved }: Props) {
  const t = useTranslations('models.editor');
  const form = useModelForm(model, onSaved);
  const { draft, probe, isAsked, isBusy } = form;
  return (
    <form
      aria-label={model === null ? t('add') : t('edit', { name: model.name })}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <div className="space-y-4">
        <EngineFields
          draft={draft}
          onChange={form.change}
          hasKey={model?.has_api_key ?? false}
          urlsProblem={form.problemOf('urls')}
          keyProblem={form.problemOf('apiKey')}
        />
        <Button
          look={isAsked ? 'plain' : 'primary'}
          type={isAsked ? 'button' : 'submit'}
          disabled={isBusy}
          onClick={isAsked ? () => form.ask(false) : undefined}
        >
          {t(probe.isPending && !form.isTesting ? 'looking' : 'look')}
        </Button>
        <div aria-live="polite">
          {probe.data === undefined ? null : (
            <FoundEngines result={probe.data} isStale={form.isStale} knowsMaxNumSeqs={draft.maxNumSeqs.trim() !== ''} />
          )}
          <Failure error={probe.error} />
        </div>
        {isAsked ? (
          <ModelFields
            draft={draft}
            onChange={form.change}
            isNew={model === null}
            servedModels={probe.data?.suggestion?.served_models ?? []}
            problemOf={form.problemOf}
          />
        ) : null}
        <Failure error={form.failure} />
      </div>
      {isAsked ? (
        <div className="mt-5 flex flex-wrap justify-end gap-2 border-line border-t pt-4">
          <Button disabled={isBusy} onClick={() => form.ask(true)}>
            {t(form.isTesting ? 'testing' : 'test')}
          </Button>
          <Button look="primary" type="submit" disabled={isBusy}>
            {t(form.isSaving ? 'saving' : 'save')}
          </Button>
        </div>
      ) : null}
    </form>
  );
}

function Failure({ error }: { readonly error: ApiError | null }) {
  const words = useFailureWords();
  if (error === null) return null;
  return (
    <Notice tone="bad" title={words(error).title} className="mt-3">
      {words(error).detail}
    </Notice>
  );
}
