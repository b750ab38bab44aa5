import { useTranslations } from 'use-intl';
import { type AuditAction, auditAction } from '#lib/contract/access.ts';

/** An action in the reader's words; as it is where this page is older than the router. */
export function useActionName(): (action: string) => string {
  const t = useTranslations('access.audit');
  const names: Readonly<Record<AuditAction, string>> = {
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
    'model.add': t('actions.model_add'),
    'model.change': t('actions.model_change'),
    'model.remove': t('actions.model_remove'),
    'model.restore_simulated': t('actions.model_restore_simulated'),
    'routing.change': t('actions.routing_change'),
    'replica.drain': t('actions.replica_drain'),
    'conversation.move': t('actions.conversation_move'),
    'conversation.forget': t('actions.conversation_forget'),
    'demo.set': t('actions.demo_set'),
    'benchmark.start': t('actions.benchmark_start'),
    'benchmark.remove': t('actions.benchmark_remove'),
    'settings.change': t('actions.settings_change'),
    'configuration.reload': t('actions.configuration_reload'),
    'database.restore': t('actions.database_restore'),
  };
  return (action) => {
    const known = auditAction.safeParse(action);
    return known.success ? names[known.data] : action;
  };
}
