'use client';

import { Languages } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { chooseLanguage, LANGUAGES, useLanguage } from '#components/language/language.ts';
import { ChoiceMenu } from './choice-menu.tsx';

const CHOICES = [
  { value: 'en', label: LANGUAGES.en, lang: 'en' },
  { value: 'hi', label: LANGUAGES.hi, lang: 'hi' },
] as const;

/** The languages of the console, each by its own name. */
export function LanguageMenu() {
  const t = useTranslations('shell');
  return (
    <ChoiceMenu label={t('language')} value={useLanguage()} choices={CHOICES} onChoose={chooseLanguage}>
      <Languages aria-hidden="true" className="size-4" />
    </ChoiceMenu>
  );
}
