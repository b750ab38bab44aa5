import type { connect as english } from '../en/connect.ts';
import type { Translation } from '../translation.ts';

export const connect: Translation<typeof english> = {};
