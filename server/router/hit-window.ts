type Point = { readonly at: number; readonly cached: number; readonly computed: number };

const WINDOW_MS = 5 * 60_000;

/** Share of prompt tokens from the cache over the last five minutes, from one replica's counters. */
export type HitWindow = {
  add(at: number, cached: number | null, computed: number | null): void;
  /** 0..1; null where nothing was asked for, or not reported. */
  share(): number | null;
  clear(): void;
};

export function createHitWindow(): HitWindow {
  let points: Point[] = [];
  return {
    add(at, cached, computed) {
      if (cached === null || computed === null) return;
      const last = points.at(-1);
      // Counters that went back belong to another run of the engine.
      if (last !== undefined && cached + computed < last.cached + last.computed) points = [];
      points.push({ at, cached, computed });
      // The oldest point kept is the last one outside the window, so that the window is covered whole.
      while ((points[1]?.at ?? Number.POSITIVE_INFINITY) <= at - WINDOW_MS) points.shift();
    },
    share() {
      const first = points[0];
      const last = points.at(-1);
      if (first === undefined || last === undefined) return null;
      const cached = last.cached - first.cached;
      const all = cached + last.computed - first.computed;
      return all > 0 ? cached / all : null;
    },
    clear() {
      points = [];
    },
  };
}
