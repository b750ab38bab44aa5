import type { access as english } from '../en/access.ts';
import type { Translation } from '../translation.ts';

export const access: Translation<typeof english> = {};
