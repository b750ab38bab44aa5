'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { modelNameOf } from '#components/data/model-name.ts';
import { useStatus } from '#components/data/queries.ts';
import { Pill } from '#components/ui/pill.tsx';
import { LiveControl } from './live-control.tsx';
import { MobileMenu } from './mobile-menu.tsx';
import { PAGES } from './pages.ts';
import { ThemeMenu } from './theme-menu.tsx';

/** The bar above every page: where one is, whether the fleet is simulated, how old the data is. */
export function Topbar() {
  const { data } = useStatus();
  return (
    <header className="sticky top-0 z-30 flex h-13 items-center gap-2 border-b bg-canvas px-4 md:px-6">
      <MobileMenu />
      <Title />
      <div className="ml-auto flex items-center gap-2.5">
        {data?.simulated ? (
          <span title="No GPU is involved: the replicas are simulated">
            <Pill tone="warn">
              Simulated<span className="max-sm:sr-only"> fleet</span>
            </Pill>
          </span>
        ) : null}
        <LiveControl />
        <span className="max-sm:hidden">
          <ThemeMenu />
        </span>
      </div>
    </header>
  );
}

function Title() {
  const path = usePathname();
  const model = path.startsWith('/models/') ? modelNameOf(path.slice('/models/'.length)) : null;
  if (model !== null) {
    return (
      <div className="flex min-w-0 items-center gap-1.5">
        <Link href="/" className="rounded text-muted hover:text-ink max-sm:hidden">
          Models
        </Link>
        <span aria-hidden="true" className="text-faint max-sm:hidden">
          /
        </span>
        <h1 className="truncate font-semibold" title={model}>
          {model}
        </h1>
      </div>
    );
  }
  const page = PAGES.find((one) => one.href === path);
  return <h1 className="truncate font-semibold">{page?.title ?? 'LM Warden'}</h1>;
}
