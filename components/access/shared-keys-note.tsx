import { useTranslations } from 'use-intl';
import { WithWords } from '#components/language/with-words.tsx';
import { fleet } from '#components/messages/en/fleet.ts';

const WORDS = { fleet } as const;

/** Which of what is said of keys is the fleet's, and which this warden's. */
export function SharedKeysNote() {
  return (
    <WithWords english={WORDS}>
      <Content />
    </WithWords>
  );
}

function Content() {
  const t = useTranslations('fleet');
  return <p className="max-w-prose border-line border-t px-4 py-2 text-muted text-xs">{t('keysShared')}</p>;
}
