import type { models as english } from '../en/models.ts';
import type { Translation } from '../translation.ts';

export const models: Translation<typeof english> = {};
