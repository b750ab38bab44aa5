import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { clientOptions } from '#components/activity/client-options.ts';
import { ModelPicker } from '#components/data/model-picker.tsx';
import { Button } from '#components/ui/button.tsx';
import { SearchField } from '#components/ui/search-field.tsx';
import { type Option, Select } from '#components/ui/select.tsx';
import type { SessionEntry } from '#lib/contract/activity.ts';
import { choicesOf, SESSION_STATES, type SessionFilter } from './session-filter.ts';

type Props = {
  /** All of them: what there is to choose from. */
  readonly sessions: readonly SessionEntry[];
  readonly filter: SessionFilter;
  readonly narrow: (change: Partial<SessionFilter>) => void;
  /** Null where nothing is narrowed. */
  readonly clear: (() => void) | null;
};

/** What narrows the list of sessions. */
export function SessionFilters({ sessions, filter, narrow, clear }: Props) {
  const t = useTranslations('sessions');
  const { clients, homes, sources } = useMemo(() => choicesOf(sessions), [sessions]);
  const clientChoices = useMemo(
    () =>
      clientOptions(clients).map(({ value, isProgram }) => ({
        value,
        label: isProgram ? t('allVersions', { client: value }) : value,
      })),
    [clients, t],
  );
  return (
    <search aria-label={t('filters')} className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <ModelPicker />
      <Choice
        label={t('client')}
        any={t('allClients')}
        value={filter.client}
        options={clientChoices}
        onChange={(client) => narrow({ client })}
      />
      <Choice
        label={t('home')}
        any={t('allHomes')}
        value={filter.home === null ? null : String(filter.home)}
        options={homes.map((home) => ({ value: String(home), label: t('replica', { replica: String(home) }) }))}
        onChange={(home) => narrow({ home: home === null ? null : Number(home) })}
      />
      <Choice
        label={t('source')}
        any={t('allSources')}
        value={filter.source}
        options={sources.map((source) => ({ value: source, label: source }))}
        onChange={(source) => narrow({ source })}
      />
      <Choice
        label={t('state')}
        any={t('allStates')}
        value={filter.state}
        options={SESSION_STATES.map((state) => ({ value: state, label: t(`states.${state}`) }))}
        onChange={(value) => narrow({ state: SESSION_STATES.find((state) => state === value) ?? null })}
      />
      <SearchField
        label={t('search')}
        placeholder={t('searchHint')}
        value={filter.q}
        onChange={(q) => narrow({ q })}
        className="col-span-2 min-w-52 flex-1 sm:max-w-72"
      />
      {clear === null ? null : (
        <Button look="quiet" onClick={clear}>
          {t('clear')}
        </Button>
      )}
    </search>
  );
}

type ChoiceProps = {
  readonly label: string;
  readonly any: string;
  readonly value: string | null;
  readonly options: readonly Option[];
  readonly onChange: (value: string | null) => void;
};

/** One of several, or any; what is chosen stays on offer when no session has it any more. */
function Choice({ label, any, value, options, onChange }: ChoiceProps) {
  const gone = value !== null && !options.some((option) => option.value === value) ? [{ value, label: value }] : [];
  return (
    <Select
      label={label}
      value={value ?? ''}
      options={[{ value: '', label: any }, ...gone, ...options]}
      onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
      className="sm:max-w-56"
    />
  );
}
