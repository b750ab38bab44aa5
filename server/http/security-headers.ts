import type { ServerResponse } from 'node:http';
import { DATA_POLICY } from '#lib/access/page-policy.ts';
import type { Area } from './route-of.ts';

const YEAR_SECONDS = 31_536_000;

const ALWAYS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
};

/** What browsers are told of every answer but the engines'. The policy of a page comes with its text. */
export function setSecurityHeaders(res: ServerResponse, area: Area, isTls: boolean): void {
  for (const [name, value] of Object.entries(ALWAYS)) res.setHeader(name, value);
  if (area !== 'page') res.setHeader('content-security-policy', DATA_POLICY);
  if (!isTls) return;
  res.setHeader('strict-transport-security', `max-age=${YEAR_SECONDS}`);
  // In the clear, browsers ignore it and complain.
  res.setHeader('cross-origin-opener-policy', 'same-origin');
}
