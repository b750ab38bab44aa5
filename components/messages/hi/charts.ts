import type { charts as english } from '../en/charts.ts';
import type { Translation } from '../translation.ts';

export const charts: Translation<typeof english> = {};
