import { z } from 'zod';

/** `POST /api/models/simulated`: the models that are served now. */
export const simulatedRestored = z.object({ models: z.array(z.string()) });

/** `GET /healthz` and `GET /readyz`. */
export const health = z.object({ status: z.string() });

/** `GET /api/openapi.json`. */
export const openApi = z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) });
