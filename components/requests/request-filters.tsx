import { useTranslations } from 'use-intl';
import { clientOptions } from '#components/activity/client-options.ts';
import { useRequestClients } from '#components/data/activity.ts';
import { ModelPicker } from '#components/data/model-picker.tsx';
import { useModels } from '#components/data/queries.ts';
import { useModelFilter } from '#components/data/url-state.ts';
import { Button } from '#components/ui/button.tsx';
import { DECISIONS } from '#components/ui/decision.tsx';
import { SearchField } from '#components/ui/search-field.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { type Option, Select } from '#components/ui/select.tsx';
import { decisionKind, requestEnding, requestOrder } from '#lib/contract/activity.ts';
import { type RequestChange, type RequestFilter, WINDOWS } from './url-state.ts';

type Props = {
  readonly filter: RequestFilter;
  readonly narrow: (change: RequestChange) => void;
  /** Null where nothing is narrowed. */
  readonly clear: (() => void) | null;
};

/** The order of the list of requests, and what narrows it; the server does both. */
export function RequestFilters({ filter, narrow, clear }: Props) {
  const t = useTranslations('requests');
  const windows = useWindowWords();
  return (
    <search aria-label={t('filters')} className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <div className="col-span-2">
        <Segmented
          label={t('order')}
          value={filter.order}
          options={requestOrder.options.map((order) => ({ value: order, label: t(`orders.${order}`) }))}
          onChange={(order) => narrow({ order })}
        />
      </div>
      <Choice
        label={t('window')}
        any={t('windows.any')}
        value={filter.window}
        options={WINDOWS.map((window) => ({ value: window, label: windows[window] }))}
        onChange={(value) => narrow({ window: WINDOWS.find((window) => window === value) ?? null })}
      />
      <ModelPicker />
      <Choice
        label={t('decision')}
        any={t('allDecisions')}
        value={filter.decision}
        options={decisionKind.options.map((kind) => ({ value: kind, label: DECISIONS[kind].word }))}
        onChange={(value) => narrow({ decision: decisionKind.options.find((kind) => kind === value) ?? null })}
      />
      <ReplicaChoice value={filter.replica} onChange={(replica) => narrow({ replica })} />
      <Choice
        label={t('status')}
        any={t('allStatuses')}
        value={filter.status}
        options={requestEnding.options.map((ending) => ({ value: ending, label: t(`endings.${ending}`) }))}
        other={(status) => t('statusNumber', { status })}
        onChange={(status) => narrow({ status })}
      />
      <ClientChoice value={filter.client} onChange={(client) => narrow({ client })} />
      <SearchField
        label={t('sessionLabel')}
        placeholder={t('sessionHint')}
        value={filter.session}
        // A key is hex digits: whatever else gets in with a paste is left out.
        onChange={(text) =>
          narrow({
            session:
              text
                .toLowerCase()
                .replace(/[^0-9a-f]/g, '')
                .slice(0, 32) || null,
          })
        }
        className="max-sm:col-span-2 sm:w-48"
      />
      {clear === null ? null : (
        <Button look="quiet" onClick={clear}>
          {t('clear')}
        </Button>
      )}
    </search>
  );
}

type OneProps = { readonly value: string | null; readonly onChange: (value: string | null) => void };

function ReplicaChoice({ value, onChange }: OneProps) {
  const t = useTranslations('requests');
  const [model] = useModelFilter();
  const { data } = useModels();
  const counts = (data?.models ?? [])
    .filter(({ name }) => model === null || name === model)
    .map(({ replica_count }) => replica_count);
  const numbers = Array.from({ length: Math.max(0, ...counts) }, (_, replica) => String(replica));
  return (
    <Choice
      label={t('replica')}
      any={t('allReplicas')}
      value={value}
      options={[
        ...numbers.map((replica) => ({ value: replica, label: t('replicaNumber', { replica }) })),
        { value: 'engine', label: t('engineChose') },
      ]}
      other={(replica) => t('replicaNumber', { replica })}
      onChange={onChange}
    />
  );
}

function ClientChoice({ value, onChange }: OneProps) {
  const t = useTranslations('requests');
  const { data } = useRequestClients();
  const options = clientOptions(data?.clients ?? []).map((client) => ({
    value: client.value,
    label: client.isProgram ? t('allVersions', { client: client.value }) : client.value,
  }));
  return <Choice label={t('client')} any={t('allClients')} value={value} options={options} onChange={onChange} />;
}

type ChoiceProps = OneProps & {
  readonly label: string;
  readonly any: string;
  readonly options: readonly Option[];
  /** How a value from the address that is not on offer is called. */
  readonly other?: (value: string) => string;
};

function Choice({ label, any, value, options, other = (text) => text, onChange }: ChoiceProps) {
  const isOffered = value === null || options.some((option) => option.value === value);
  return (
    <Select
      label={label}
      value={value ?? ''}
      options={[{ value: '', label: any }, ...(isOffered ? [] : [{ value, label: other(value) }]), ...options]}
      onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
      className="sm:max-w-56"
    />
  );
}

function useWindowWords(): Readonly<Record<(typeof WINDOWS)[number], string>> {
  const t = useTranslations('requests.windows');
  const last = (span: string): string => t('last', { span });
  return {
    '15m': last(t('minutes', { n: 15 })),
    '1h': last(t('hours', { n: 1 })),
    '6h': last(t('hours', { n: 6 })),
    '24h': last(t('hours', { n: 24 })),
    '7d': last(t('days', { n: 7 })),
  };
}
