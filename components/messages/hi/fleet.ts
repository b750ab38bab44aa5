import type { fleet as english } from '../en/fleet.ts';
import type { Translation } from '../translation.ts';

export const fleet: Translation<typeof english> = {};
