import { useTranslations } from 'use-intl';

/** What people do, as the audit list spells it. */
export const AUDIT_ACTIONS = [
  'session.begin',
  'session.end',
  'session.refuse',
  'password.change',
  'first_run.use',
  'person.add',
  'person.change',
  'person.remove',
  'key.make',
  'key.revoke',
  'routing.change',
  'replica.drain',
  'conversation.move',
  'conversation.forget',
  'demo.set',
  'benchmark.start',
  'benchmark.remove',
  'settings.change',
] as const;

/** An action in the reader's words; as it is where this page is older than the router. */
export function useActionName(): (action: string) => string {
  const t = useTranslations('access.audit');
  const names: Readonly<Record<string, string>> = {
    'session.begin': t('actions.session_begin'),
    'session.end': t('actions.session_end'),
    'session.refuse': t('actions.session_refuse'),
    'password.change': t('actions.password_change'),
    'first_run.use': t('actions.first_run_use'),
    'person.add': t('actions.person_add'),
    'person.change': t('actions.person_change'),
    'person.remove': t('actions.person_remove'),
    'key.make': t('actions.key_make'),
    'key.revoke': t('actions.key_revoke'),
    'routing.change': t('actions.routing_change'),
    'replica.drain': t('actions.replica_drain'),
    'conversation.move': t('actions.conversation_move'),
    'conversation.forget': t('actions.conversation_forget'),
    'demo.set': t('actions.demo_set'),
    'benchmark.start': t('actions.benchmark_start'),
    'benchmark.remove': t('actions.benchmark_remove'),
    'settings.change': t('actions.settings_change'),
  } satisfies Record<(typeof AUDIT_ACTIONS)[number], string>;
  return (action) => names[action] ?? action;
}
