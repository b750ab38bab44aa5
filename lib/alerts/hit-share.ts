import type { Condition, ModelView } from './types.ts';

const MINUTE_MS = 60_000;
const RECENT_MINUTES = 10;
const BEFORE_MINUTES = 120;
/** Below these the shares say nothing: a few new conversations are cold by nature. */
const LEAST_REQUESTS = 20;
const LEAST_SHARE_BEFORE = 0.3;
const COLLAPSED = 0.5;
const RECOVERED = 0.7;

type Sums = Omit<ModelView, 'model'>;
type Watched = { readonly minutes: { readonly at: number; readonly sums: Sums }[]; usual: number | null };

/**
 * The cached share of the last ten minutes against that of the two hours before. What was usual when it collapsed is
 * kept until it recovers, so that a lasting collapse does not become the new usual and end the alert.
 */
export function createHitShareRule(): (models: readonly ModelView[], at: number) => readonly Condition[] {
  const watched = new Map<string, Watched>();
  return (models, at) => {
    for (const known of watched.keys()) if (!models.some(({ model }) => model === known)) watched.delete(known);
    return models.map((view) => {
      const entry = watched.get(view.model) ?? { minutes: [], usual: null };
      watched.set(view.model, entry);
      note(entry, view, at);
      return judge(entry, view, at);
    });
  };
}

function note({ minutes }: Watched, { requests, promptTokens, cachedTokens }: ModelView, at: number): void {
  const last = minutes.at(-1);
  if (last !== undefined && at - last.at < MINUTE_MS) return;
  minutes.push({ at, sums: { requests, promptTokens, cachedTokens } });
  if (minutes.length > RECENT_MINUTES + BEFORE_MINUTES) minutes.shift();
}

function judge(entry: Watched, view: ModelView, at: number): Condition {
  const border = entry.minutes.findLast((minute) => at - minute.at >= RECENT_MINUTES * MINUTE_MS);
  const oldest = entry.minutes[0];
  const recent = border === undefined ? null : shareOf(border.sums, view);
  const before = border === undefined || oldest === undefined ? null : shareOf(oldest.sums, border.sums);
  const usual = entry.usual ?? before;
  let state: Condition['state'] = 'between';
  if (recent !== null && usual !== null) {
    if (usual < LEAST_SHARE_BEFORE || recent >= RECOVERED * usual) state = 'good';
    else if (recent < COLLAPSED * usual) state = 'bad';
  }
  if (state === 'bad') entry.usual = usual;
  if (state === 'good') entry.usual = null;
  return {
    code: 'hit_share_collapsed',
    severity: 'warning',
    subject: { model: view.model, replica: null, url: null },
    state,
    values: { percent: Math.round((recent ?? 0) * 100), usual_percent: Math.round((usual ?? 0) * 100) },
  };
}

/** Null where too few requests finished in between. */
function shareOf(from: Sums, to: Sums): number | null {
  const prompt = to.promptTokens - from.promptTokens;
  if (to.requests - from.requests < LEAST_REQUESTS || prompt <= 0) return null;
  return (to.cachedTokens - from.cachedTokens) / prompt;
}
