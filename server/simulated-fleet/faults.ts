import type { Exchange } from './exchange.ts';
import { Refusal } from './refusal.ts';
import { resetConnection } from './reset-connection.ts';

/** Kinds of fault that need nothing but their name. */
export const PLAIN_FAULTS = [
  'full',
  'hang',
  'refuse',
  'reset_mid_stream',
  'half_stream',
  'wrong_content_type',
  'usage_null',
] as const;

/** What goes wrong with one inference request. `ms` of `slow` are real ones, whatever the fleet's speed. */
export type Fault = { readonly kind: 'slow'; readonly ms: number } | { readonly kind: (typeof PLAIN_FAULTS)[number] };

/** The fault that inference requests meet, one at a time. It outlives a restart of the engine. */
export class ArmedFault {
  private fault: Fault | null = null;
  /** Requests still to meet it; infinite until it is cleared. */
  private left = 0;

  /** Replaces what was armed. `count` null: every request until `clear`. */
  arm(fault: Fault, count: number | null): void {
    this.fault = fault;
    this.left = count ?? Number.POSITIVE_INFINITY;
  }

  clear(): void {
    this.left = 0;
  }

  /** The fault of the next request, which counts as having met it. */
  take(): Fault | null {
    if (this.left === 0) return null;
    this.left -= 1;
    return this.fault;
  }
}

/** Whether a fault took the place of the answer. The other kinds take effect while the answer is made or sent. */
export function failInstead({ fault, request, response }: Exchange): boolean {
  switch (fault?.kind) {
    case 'full':
      // The admission limits of vLLM 0.29.
      throw new Refusal({
        status: 503,
        type: 'Service Unavailable',
        message: 'The server is busy: too many requests are queued. Please try again later.',
      });
    case 'hang':
      request.resume();
      return true;
    case 'refuse':
      resetConnection(request.socket);
      return true;
    case 'wrong_content_type':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Welcome</title><p>This is not a model.</p>\n');
      return true;
    default:
      return false;
  }
}
