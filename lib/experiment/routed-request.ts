import type { RoutedRequest } from '#lib/routing/types.ts';
import type { PolicyRequest } from './policy.ts';

/** A policy's request as the product's router takes it. */
export function routedRequest({ key, bodyBytes }: PolicyRequest): RoutedRequest {
  return {
    key: { hash: key, source: 'experiment' },
    role: 'turn',
    sideReason: null,
    pin: null,
    unpinnable: null,
    bodyBytes,
  };
}
