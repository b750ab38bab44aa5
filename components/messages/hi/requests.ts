import type { requests as english } from '../en/requests.ts';
import type { Translation } from '../translation.ts';

export const requests: Translation<typeof english> = {};
