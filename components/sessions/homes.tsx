import { Meter } from '#components/ui/meter.tsx';
import { Reported } from '#components/ui/reported.tsx';
import type { SessionList } from '#lib/contract/activity.ts';
import { formatCompact } from '#lib/format/tokens.ts';
import { type Home, perHome } from './per-home.ts';

/** The conversations of each replica at a glance: how many, and how much context they hold together. */
export function Homes({ sessions }: SessionList) {
  const homes = perHome(sessions);
  if (homes.length === 0) return null;
  const most = Math.max(...homes.map((home) => home.sessions));
  const models = [...new Set(homes.map((home) => home.model))];
  return (
    <div className="space-y-3">
      {models.map((model) => (
        <section key={model} aria-label={`Homes of ${model}`}>
          {models.length > 1 ? <h2 className="mb-1.5 truncate font-medium text-muted text-xs">{model}</h2> : null}
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-2">
            {homes.map((home) => (home.model === model ? <Tile key={home.replica} home={home} most={most} /> : null))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Tile({ home, most }: { readonly home: Home; readonly most: number }) {
  return (
    <li className="rounded-md border border-line px-3 py-2 text-xs tabular-nums">
      <div className="flex items-baseline justify-between">
        <span className="text-muted">Replica {home.replica}</span>
        <span className="font-semibold text-sm">{home.sessions}</span>
      </div>
      <Meter label="Sessions" share={home.sessions / most} className="mt-1" />
      <p className="mt-1 text-muted">
        <Reported value={home.contextTokens} format={formatCompact} /> tokens of context
      </p>
    </li>
  );
}
