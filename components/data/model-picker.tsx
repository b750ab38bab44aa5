'use client';

import { useTranslations } from 'use-intl';
import { Select } from '#components/ui/select.tsx';
import { useModels } from './queries.ts';
import { useModelFilter } from './url-state.ts';

/** Narrows a page to one model, in the address. */
export function ModelPicker() {
  const t = useTranslations('ui');
  const [model, setModel] = useModelFilter();
  const { data } = useModels();
  const names = data?.models.map(({ name }) => name) ?? [];
  // A model in the address that is not served (any more) is still what the page shows.
  const all = model === null || names.includes(model) ? names : [model, ...names];
  const options = [{ value: '', label: t('allModels') }, ...all.map((name) => ({ value: name, label: name }))];
  return (
    <Select
      label={t('model')}
      value={model ?? ''}
      options={options}
      onChange={(value) => void setModel(value === '' ? null : value)}
      className="w-60 max-w-full"
    />
  );
}
