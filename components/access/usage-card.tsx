import { useTranslations } from 'use-intl';
import { Segmented } from '#components/ui/segmented.tsx';
import { KeyUsage } from './key-usage.tsx';
import { USAGE_WINDOWS, useUsageWindow } from './url-state.ts';

/** What each key used, in a window of its own: this page has no time range. */
export function UsageCard() {
  const t = useTranslations('access.usage');
  const [window, setWindow] = useUsageWindow();
  return (
    <KeyUsage
      window={window}
      over={(keys) => t(`windowsLong.${USAGE_WINDOWS.find((known) => known === keys.window) ?? window}`)}
      actions={
        <Segmented
          label={t('window')}
          value={window}
          options={USAGE_WINDOWS.map((value) => ({
            value,
            label: t(`windows.${value}`),
            name: t(`windowsLong.${value}`),
          }))}
          onChange={(value) => void setWindow(value)}
        />
      }
    />
  );
}
