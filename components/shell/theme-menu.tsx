'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { chooseTheme, useTheme } from '#components/theme/theme.ts';
import { ChoiceMenu } from './choice-menu.tsx';

/** Light, dark, or as the system has it. */
export function ThemeMenu() {
  const t = useTranslations('shell');
  const theme = useTheme();
  const choices = [
    { value: 'light', label: t('themes.light'), icon: Sun },
    { value: 'dark', label: t('themes.dark'), icon: Moon },
    { value: 'system', label: t('themes.system'), icon: Monitor },
  ] as const;
  return (
    <ChoiceMenu label={t('theme')} value={theme} choices={choices} onChoose={chooseTheme}>
      <Sun aria-hidden="true" className="size-4 dark:hidden" />
      <Moon aria-hidden="true" className="hidden size-4 dark:block" />
    </ChoiceMenu>
  );
}
