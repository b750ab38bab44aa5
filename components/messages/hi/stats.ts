import type { stats as english } from '../en/stats.ts';
import type { Translation } from '../translation.ts';

export const stats: Translation<typeof english> = {};
