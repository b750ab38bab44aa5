'use client';

import { useTranslations } from 'use-intl';
import type { useAsked } from '#components/data/asked-window.ts';
import { ModelPicker } from '#components/data/model-picker.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import { Toggle } from '#components/ui/toggle.tsx';
import { RANGE_NAMES, RANGES } from '#lib/series/range.ts';
import { StretchForm } from './stretch-form.tsx';

/** What the page shows: the window, the model, and whether the period before is compared. */
export function RangeBar({ asked, setRange, setStretch, setCompare }: ReturnType<typeof useAsked>) {
  const t = useTranslations('stats');
  const { window, compare } = asked;
  const options = [
    ...RANGE_NAMES.map((value) => ({ value, label: value, name: t(`names.${value}`) })),
    { value: 'custom' as const, label: t('custom'), name: t('customName') },
  ];
  const choose = (value: (typeof options)[number]['value']) => {
    if (value !== 'custom') return setRange(value);
    const now = Date.now();
    const seconds = typeof window === 'string' ? RANGES[window].seconds : RANGES['1h'].seconds;
    setStretch({ from: wholeMinute(now - seconds * 1000), to: wholeMinute(now) });
  };
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Segmented
          label={t('timeRange')}
          value={typeof window === 'string' ? window : 'custom'}
          options={options}
          onChange={choose}
        />
        <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-2">
          <Toggle label={t('compare')} checked={compare} onChange={setCompare} />
          <ModelPicker />
        </div>
      </div>
      {typeof window === 'string' ? null : (
        <StretchForm key={`${window.from} ${window.to}`} stretch={window} onChoose={setStretch} />
      )}
    </div>
  );
}

function wholeMinute(time: number): string {
  return new Date(Math.floor(time / 60_000) * 60_000).toISOString();
}
