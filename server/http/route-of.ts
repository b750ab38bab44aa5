import type { Who } from '#lib/access/caller.ts';

/** What answers a path, and who may ask for it. */
export type Area = 'proxy' | 'health' | 'metrics' | 'api' | 'file' | 'page';
export type RouteOf = { readonly area: Area; readonly who: Who };

export type RouteTable = {
  /** Who may make a call of the console's API; of one that is not there, too. */
  readonly api: (method: string, path: string) => Who;
  /** Paths that are forwarded besides the known ones. */
  readonly isExtraPath: (path: string) => boolean;
};

/** The engine's public paths that are not under `/v1`. */
const PROXIED_OUTSIDE_V1 = new Set(['/tokenize', '/detokenize']);
const HEALTH = new Set(['/healthz', '/readyz']);
/** What must be seen to sign in. */
const PUBLIC_PAGES = new Set(['/login']);

/**
 * The one table of what there is and for whom. A path is taken as it is written: one that could be read as another path
 * matches nothing. Whatever is not named here is a page, and pages are for those who may see the console.
 */
export function routeOf(method: string, path: string, table: RouteTable): RouteOf | null {
  if (isUnder(path, '/v1') || PROXIED_OUTSIDE_V1.has(path) || table.isExtraPath(path)) {
    return { area: 'proxy', who: 'client' };
  }
  if (HEALTH.has(path)) return { area: 'health', who: 'anyone' };
  if (path === '/metrics') return { area: 'metrics', who: 'metrics' };
  if (isUnder(path, '/api')) return { area: 'api', who: table.api(method, path) };
  if (!isPlain(path)) return null;
  if (isFile(path)) return { area: 'file', who: 'anyone' };
  return { area: 'page', who: PUBLIC_PAGES.has(path) ? 'anyone' : 'viewer' };
}

function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** False for what servers read differently: empty and dotted segments, backslashes, encoded dots and zero bytes. */
function isPlain(path: string): boolean {
  if (!path.startsWith('/') || path.includes('\\')) return false;
  return !/\/\/|\/\.{1,2}(?:\/|$)|%2e|%00|%5c/i.test(path);
}

/** The build's own files: what anyone can read in the package. */
function isFile(path: string): boolean {
  return path === '/favicon.svg' || path.startsWith('/_next/static/');
}
