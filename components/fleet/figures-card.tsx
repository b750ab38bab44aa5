import { useTranslations } from 'use-intl';
import { useFleetFigures } from '#components/data/queries.ts';
import { useModelFilter } from '#components/data/url-state.ts';
import { Card } from '#components/ui/card.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Select } from '#components/ui/select.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { FleetFigures } from '#lib/contract/fleet.ts';
import { FiguresTable } from './figures-table.tsx';

/** What each warden took lately, asked of each; of one model where there are several. */
export function FiguresCard() {
  const t = useTranslations('fleet');
  const query = useFleetFigures();
  const [model, setModel] = useModelFilter();
  const names = modelsOf(query.data);
  // A model in the address that nobody serves (any more) is still what the table shows.
  const all = model === null || names.includes(model) ? names : [model, ...names];
  return (
    <Card
      title={t('took')}
      note={t('tookNote')}
      actions={
        all.length > 1 ? (
          <Select
            label={t('model')}
            value={model ?? ''}
            options={[{ value: '', label: t('allModels') }, ...all.map((name) => ({ value: name, label: name }))]}
            onChange={(value) => void setModel(value === '' ? null : value)}
            className="w-60 max-w-full"
          />
        ) : null
      }
      flush
    >
      <PollState query={query} loading={<Skeleton className="m-4 h-40" />}>
        {(data) => <FiguresTable figures={data} model={model} />}
      </PollState>
    </Card>
  );
}

function modelsOf(figures: FleetFigures | undefined): readonly string[] {
  const all = figures?.wardens.flatMap((warden) => warden.figures?.models ?? []) ?? [];
  return [...new Set(all.map(({ model }) => model))].sort();
}
