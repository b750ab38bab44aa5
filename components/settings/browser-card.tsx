'use client';

import { useTranslations } from 'use-intl';
import { chooseLanguage, LANGUAGES, useLanguage } from '#components/language/language.ts';
import { chooseTheme, useTheme } from '#components/theme/theme.ts';
import { Card } from '#components/ui/card.tsx';
import { Segmented } from '#components/ui/segmented.tsx';

const LANGUAGE_OPTIONS = [
  { value: 'en', label: LANGUAGES.en },
  { value: 'hi', label: LANGUAGES.hi },
] as const;

/** Language and theme, which are the reader's own. */
export function BrowserCard() {
  const t = useTranslations();
  const themes = (['light', 'dark', 'system'] as const).map((value) => ({ value, label: t(`shell.themes.${value}`) }));
  return (
    <Card title={t('settings.browser.title')} note={t('settings.browser.note')}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-6 gap-y-3">
        <dt>{t('settings.browser.language')}</dt>
        <dd>
          <Segmented
            label={t('settings.browser.language')}
            value={useLanguage()}
            options={LANGUAGE_OPTIONS}
            onChange={chooseLanguage}
          />
        </dd>
        <dt>{t('settings.browser.theme')}</dt>
        <dd>
          <Segmented label={t('settings.browser.theme')} value={useTheme()} options={themes} onChange={chooseTheme} />
        </dd>
      </dl>
    </Card>
  );
}
