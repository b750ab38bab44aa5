import { useTranslations } from 'use-intl';
import { SYSTEM_ACTORS } from '#lib/contract/access.ts';

/** Such an actor in the reader's words. */
export function useSystemActor(): (actor: string) => string {
  const t = useTranslations('access.audit.system');
  return (actor) => {
    const known = SYSTEM_ACTORS.find((one) => one === actor);
    return known === undefined ? actor : t(known);
  };
}
