'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { IntlProvider } from 'use-intl';
import { loadCode } from '#components/data/load-code.ts';
import type { english } from '#components/messages/english.ts';
import { sharedEnglish } from '#components/messages/shared-english.ts';
import { type Language, readerLanguage, useLanguage } from './language.ts';
import { LANGUAGE_PENDING } from './language-script.ts';

type Loaded = { readonly language: Language; readonly messages: Partial<typeof english> };

const ENGLISH: Loaded = { language: 'en', messages: sharedEnglish };

/**
 * Gives the pages the words that they share; each adds those of its own (WithWords). Hindi is a chunk of its own, with
 * all words, loaded for those who read it.
 */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const wanted = useLanguage();
  const [loaded, setLoaded] = useState(ENGLISH);
  useEffect(() => {
    let isCurrent = true;
    load(wanted)
      .catch(() => ({ ...ENGLISH }))
      .then((next) => {
        if (isCurrent) setLoaded(next);
      });
    return () => {
      isCurrent = false;
    };
  }, [wanted]);
  useEffect(() => {
    const { documentElement } = document;
    documentElement.lang = loaded.language;
    // Also where Hindi could not be fetched (a copy of ENGLISH): a page in English is better than none.
    if (loaded !== ENGLISH || readerLanguage() === 'en') documentElement.removeAttribute(LANGUAGE_PENDING);
  }, [loaded]);
  return (
    // A time zone must be named for the static shells; no message formats a time by itself (useFormat does).
    <IntlProvider locale={loaded.language} messages={loaded.messages} timeZone="UTC">
      {children}
    </IntlProvider>
  );
}

async function load(language: Language): Promise<Loaded> {
  if (language === 'en') return ENGLISH;
  const { hindi } = await loadCode(() => import('#components/messages/hindi.ts'));
  // The same keys, or it would not compile; that the texts are English ones only tells the types of their arguments.
  return { language, messages: hindi as typeof english };
}
