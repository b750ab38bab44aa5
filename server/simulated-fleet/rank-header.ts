import type { Exchange } from './exchange.ts';

/**
 * The rank that `X-data-parallel-rank` asks for, or null. As Python reads it: blanks and a sign are fine, anything
 * that is not an integer counts as absent, and of several headers the first wins.
 */
export function requestedRank(exchange: Exchange): number | null {
  const text = exchange.request.headersDistinct['x-data-parallel-rank']?.[0]?.trim() ?? '';
  return /^[+-]?\d+$/.test(text) ? Number(text) : null;
}

/** What is wrong with a rank; null when the server has it. */
export function rankProblem(exchange: Exchange, rank: number | null): string | null {
  const { replicas } = exchange.engine.settings;
  if (rank === null || (rank >= 0 && rank < replicas)) return null;
  return `data_parallel_rank ${rank} is out of range [0, ${replicas})`;
}
