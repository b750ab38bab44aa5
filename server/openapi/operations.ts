import { accessOperations } from './access-operations.ts';
import { modelOperations } from './model-operations.ts';
import type { Operation } from './operation.ts';
import { statsOperations } from './stats-operations.ts';

/** By method and path, as in "GET /api/models/{name}". A test sees that every route of the table is here. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...modelOperations,
  ...statsOperations,
  ...accessOperations,
};
