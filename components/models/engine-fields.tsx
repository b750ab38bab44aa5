import { useTranslations } from 'use-intl';
import { Toggle } from '#components/ui/toggle.tsx';
import type { ModelDraft } from './model-draft.ts';
import { TextField } from './text-field.tsx';

type Props = {
  readonly draft: ModelDraft;
  readonly onChange: (change: Partial<ModelDraft>) => void;
  /** A key is kept of the model that is changed. */
  readonly hasKey: boolean;
  readonly urlsProblem: string | null;
  readonly keyProblem: string | null;
};

const EXAMPLE = 'http://gpu-box:8000';

/** Where the engine is, and the key that it wants. */
export function EngineFields({ draft, onChange, hasKey, urlsProblem, keyProblem }: Props) {
  const t = useTranslations('models.editor');
  return (
    <div className="space-y-3.5">
      <TextField
        label={t('urls')}
        value={draft.urls}
        onChange={(urls) => onChange({ urls })}
        hint={t('urlsHint')}
        problem={urlsProblem}
        placeholder={EXAMPLE}
        rows={Math.min(8, Math.max(2, draft.urls.split('\n').length))}
        required
      />
      <TextField
        label={t('apiKey')}
        value={draft.apiKey}
        onChange={(apiKey) => onChange({ apiKey })}
        hint={t(hasKey ? 'apiKeyKept' : 'apiKeyHint')}
        problem={keyProblem}
        {...(hasKey ? { placeholder: t('apiKeyPlaceholder') } : {})}
        kind="secret"
      />
      {hasKey && draft.apiKey === '' ? (
        <Toggle label={t('removeKey')} checked={draft.removesKey} onChange={(removesKey) => onChange({ removesKey })} />
      ) : null}
    </div>
  );
}
