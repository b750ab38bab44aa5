import {
  ArrowLeftRight,
  ChartColumn,
  Gauge,
  KeyRound,
  type LucideIcon,
  Network,
  PlugZap,
  Server,
  Settings,
  Users,
} from 'lucide-react';

export type Page = {
  readonly href: string;
  /** Its name is the message `shell.pages.{id}`. */
  readonly id: 'models' | 'stats' | 'sessions' | 'requests' | 'benchmark' | 'connect' | 'fleet' | 'access' | 'settings';
  readonly key: string;
  readonly icon: LucideIcon;
};

/** The pages in the navigation; `key` follows `g`. */
export const PAGES: readonly Page[] = [
  { href: '/', id: 'models', key: 'm', icon: Server },
  { href: '/stats', id: 'stats', key: 's', icon: ChartColumn },
  { href: '/sessions', id: 'sessions', key: 'e', icon: Users },
  { href: '/requests', id: 'requests', key: 'r', icon: ArrowLeftRight },
  { href: '/benchmark', id: 'benchmark', key: 'b', icon: Gauge },
  { href: '/connect', id: 'connect', key: 'c', icon: PlugZap },
  { href: '/fleet', id: 'fleet', key: 'f', icon: Network },
  { href: '/access', id: 'access', key: 'a', icon: KeyRound },
  { href: '/settings', id: 'settings', key: ',', icon: Settings },
];

/** Whether a page, or one below it, is the one at `path`. */
export function isAt(page: Page, path: string): boolean {
  return page.href === '/' ? path === '/' || path.startsWith('/models/') : path === page.href;
}
