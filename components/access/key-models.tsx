import { useId } from 'react';
import { useTranslations } from 'use-intl';

type Props = {
  readonly names: readonly string[];
  /** Null: all. */
  readonly chosen: readonly string[] | null;
  readonly onChange: (chosen: readonly string[] | null) => void;
  readonly problem: string | null;
};

/** The models that a key may use: all, or some. */
export function KeyModels({ names, chosen, onChange, problem }: Props) {
  const t = useTranslations('access.newKey');
  const group = useId();
  const toggle = (name: string) => {
    const before = chosen ?? [];
    onChange(before.includes(name) ? before.filter((one) => one !== name) : [...before, name]);
  };
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{t('models')}</legend>
      <label className="flex min-h-8 items-center gap-2">
        <input type="radio" name={group} checked={chosen === null} onChange={() => onChange(null)} className="size-4" />
        {t('modelsAll')}
      </label>
      <label className="flex min-h-8 items-center gap-2">
        <input type="radio" name={group} checked={chosen !== null} onChange={() => onChange([])} className="size-4" />
        {t('modelsSome')}
      </label>
      {chosen === null ? null : (
        <ul className="mt-1 max-h-40 overflow-y-auto pl-6">
          {names.map((name) => (
            <li key={name}>
              <label className="flex min-h-8 items-center gap-2">
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  onChange={() => toggle(name)}
                  className="size-4 shrink-0"
                />
                <span className="min-w-0 break-all">{name}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
      {problem === null ? null : <p className="mt-1 text-bad text-xs">{problem}</p>}
    </fieldset>
  );
}
