import { ArrowLeftRight, ChartColumn, Gauge, type LucideIcon, PlugZap, Server, Users } from 'lucide-react';

export type Page = { readonly href: string; readonly title: string; readonly key: string; readonly icon: LucideIcon };

/** The pages in the navigation; `key` follows `g`. */
export const PAGES: readonly Page[] = [
  { href: '/', title: 'Models', key: 'm', icon: Server },
  { href: '/stats', title: 'Stats', key: 's', icon: ChartColumn },
  { href: '/sessions', title: 'Sessions', key: 'e', icon: Users },
  { href: '/requests', title: 'Requests', key: 'r', icon: ArrowLeftRight },
  { href: '/benchmark', title: 'Benchmark', key: 'b', icon: Gauge },
  { href: '/connect', title: 'Connect', key: 'c', icon: PlugZap },
];

/** Whether a page, or one below it, is the one at `path`. */
export function isAt(page: Page, path: string): boolean {
  return page.href === '/' ? path === '/' || path.startsWith('/models/') : path === page.href;
}
