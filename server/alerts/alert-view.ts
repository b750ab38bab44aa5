import { alertAction, alertMessage } from '#lib/alerts/alert-words.ts';
import type { Alert } from '#lib/alerts/types.ts';
import type { AlertNotice, AlertView } from '#lib/contract/alerts.ts';

/** An alert as the console and the webhook get it. `resolvedAt`: ms since the epoch, null while it lasts. */
export function alertView(alert: Alert, resolvedAt: number | null): AlertView {
  return {
    id: alert.id,
    code: alert.code,
    severity: alert.severity,
    ...alert.subject,
    since: new Date(alert.since).toISOString(),
    resolved_at: resolvedAt === null ? null : new Date(resolvedAt).toISOString(),
    message: alertMessage(alert),
    action: alertAction(alert),
    values: { ...alert.values },
  };
}

export function alertNotice(version: string, alert: AlertView): AlertNotice {
  const status = alert.resolved_at === null ? 'raised' : 'resolved';
  const text =
    status === 'raised' ? `LM Warden: ${alert.message} ${alert.action}` : `LM Warden: resolved: ${alert.message}`;
  return { source: 'lm-warden', version, status, text, alert };
}
