/** Every query key of the console. A key holds all that the answer depends on, so a late answer cannot land elsewhere. */
export const keys = {
  status: () => ['status'] as const,
  models: () => ['models'] as const,
  routing: (model: string) => ['routing', model] as const,
  inFlight: (model: string) => ['in-flight', model] as const,
  advice: (model: string) => ['advice', model] as const,
  configuration: (model: string) => ['configuration', model] as const,
  sessions: (model: string | null, q: string) => ['sessions', model, q] as const,
  session: (key: string) => ['conversation', key] as const,
  requests: (search: string) => ['requests', search] as const,
  connect: (model: string) => ['connect', model] as const,
  requestClients: () => ['request-clients'] as const,
  fleet: () => ['fleet'] as const,
  alerts: () => ['alerts'] as const,
  benchmarks: () => ['benchmarks'] as const,
  benchmark: (id: number, status: string) => ['benchmark', id, status] as const,
  events: (model: string | null, limit: number) => ['events', model, limit] as const,
};
