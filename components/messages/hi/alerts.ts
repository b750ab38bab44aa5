import type { alerts as english } from '../en/alerts.ts';
import type { Translation } from '../translation.ts';

export const alerts: Translation<typeof english> = {};
