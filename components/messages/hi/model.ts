import type { model as english } from '../en/model.ts';
import type { Translation } from '../translation.ts';

export const model: Translation<typeof english> = {};
