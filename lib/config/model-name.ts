type Named = { readonly name: string; readonly aliases: readonly string[] };

/**
 * The model a request means: its name first, then an exact alias, then a glob (`*` any run, `?` one character), the
 * longest pattern first so that `claude-opus-*` beats `claude-*`. Null when nobody answers to it.
 */
export function findModel<Model extends Named>(models: readonly Model[], requested: string): Model | null {
  const exact =
    models.find((model) => model.name === requested) ?? models.find((model) => model.aliases.includes(requested));
  if (exact !== undefined) return exact;
  let best: { model: Model; length: number } | null = null;
  for (const model of models) {
    for (const alias of model.aliases) {
      if (/[*?]/.test(alias) && matches(alias, requested) && alias.length > (best?.length ?? -1)) {
        best = { model, length: alias.length };
      }
    }
  }
  return best?.model ?? null;
}

/** Iterative glob match with one back-track point: linear for the patterns people write, never exponential. */
function matches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t]) && pattern[p] !== '*') {
      p += 1;
      t += 1;
    } else if (pattern[p] === '*') {
      star = p;
      mark = t;
      p += 1;
    } else if (star >= 0) {
      p = star + 1;
      mark += 1;
      t = mark;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
