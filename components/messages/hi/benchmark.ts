import type { benchmark as english } from '../en/benchmark.ts';
import type { Translation } from '../translation.ts';

export const benchmark: Translation<typeof english> = {};
