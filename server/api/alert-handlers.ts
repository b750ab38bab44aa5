import type { AlertList } from '#lib/contract/alerts.ts';
import type { ApiCall } from './handlers.ts';

export async function listAlerts({ context }: ApiCall): Promise<AlertList> {
  return context.alerts.list();
}
