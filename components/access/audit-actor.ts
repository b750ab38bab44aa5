import { useTranslations } from 'use-intl';

/** What changes things without a person; `warden …` names another one and stays as it is. */
export const SYSTEM_ACTORS = ['configuration file', 'environment', 'benchmark', 'fleet', 'command line'] as const;

/** Such an actor in the reader's words. */
export function useSystemActor(): (actor: string) => string {
  const t = useTranslations('access.audit.system');
  return (actor) => {
    const known = SYSTEM_ACTORS.find((one) => one === actor);
    return known === undefined ? actor : t(known);
  };
}
