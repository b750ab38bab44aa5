import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import type { TurnPlace } from './turn-place.ts';

/** A turn's name, as "Turn 3" or "2 turns before the newest", and its short form for a table. */
export function useTurnName(): { name(place: TurnPlace): string; short(place: TurnPlace): string } {
  const t = useTranslations('sessions.panel');
  const { exact } = useFormat();
  return {
    name: (place) =>
      'number' in place ? t('turn', { number: exact(place.number) }) : t('turnBefore', { newer: place.newer }),
    short: (place) => ('number' in place ? exact(place.number) : t('turnBeforeShort', { newer: place.newer })),
  };
}
