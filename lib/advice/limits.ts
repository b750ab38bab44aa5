/** Where advice begins; docs/advice.md explains each. Shares are 0..1. */
export const LIMITS = {
  /** Requests from which something is told. */
  requests: 30,
  /** Hit share of turns at home below which they count as cold. */
  lowHits: 0.5,
  /** Hit share of all turns below which more conversations than cache are to blame. */
  crowdedHits: 0.6,
  highSticky: 0.9,
  /** Of the cache, by the engine's gauge or by the conversations that live there. */
  lowCache: 0.6,
  highCache: 0.8,
  /** Of the requests with a key, that begin a conversation. */
  highPlaced: 0.7,
  highSpilled: 0.15,
  /** Requests waiting in one engine, on average. */
  waiting: 1,
  /** An idle replica runs less than this share of what the pegged one does. */
  idle: 0.5,
  highWithoutKey: 0.2,
  /** Measured of all requests with prompt tokens; and how many it takes to say so. */
  lowMeasured: 0.5,
  requestsToMeasure: 5,
  /** The largest cache over the smallest. */
  capacityRatio: 1.1,
} as const;
