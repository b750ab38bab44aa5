import type { RouterMemory } from './store.ts';

/** What is remembered of a model after `after`, where `before` was: a partial one changes only the homes in it. */
export function mergedMemory(before: RouterMemory | undefined, after: RouterMemory): RouterMemory {
  if (before === undefined || after.isPartial !== true) return after;
  const homes = new Map(before.homes.map((home) => [home.keyHash, home]));
  for (const home of after.homes) homes.set(home.keyHash, home);
  return { ...after, homes: [...homes.values()], isPartial: before.isPartial === true };
}
