/**
 * Makes something when it is asked for, and gives the same to all who ask within `keptMs` after it was begun. What
 * failed is tried again by the next one. `now`: ms of a clock that never jumps.
 */
export function keptBriefly<Made>(keptMs: number, now: () => number, make: () => Promise<Made>): () => Promise<Made> {
  let kept: { readonly made: Promise<Made>; readonly until: number } | null = null;
  return () => {
    const at = now();
    if (kept !== null && at < kept.until) return kept.made;
    const made = make();
    const mine = { made, until: at + keptMs };
    kept = mine;
    made.catch(() => {
      if (kept === mine) kept = null;
    });
    return made;
  };
}
