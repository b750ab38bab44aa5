import { randomUUID } from 'node:crypto';
import type { Exchange } from './exchange.ts';

export function randomId(): string {
  return randomUUID().replaceAll('-', '');
}

/** `prefix` and the client's `X-Request-Id`, or a random id where it sent none. */
export function responseId(exchange: Exchange, prefix: string): string {
  return `${prefix}${exchange.request.headersDistinct['x-request-id']?.[0] ?? randomId()}`;
}

/** vLLM's `system_fingerprint`, which tells the number of ranks where there are several. */
export function systemFingerprint(exchange: Exchange): string {
  const { version, replicas } = exchange.engine.settings;
  return `vllm-${version}${replicas > 1 ? `-dp${replicas}` : ''}-5e4a1c0d`;
}
