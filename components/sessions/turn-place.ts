/** Which turn of a conversation one is: its number, or where the first turns are not there, how many are newer. */
export type TurnPlace = { readonly number: number } | { readonly newer: number };

/** `index` of `count` turns, oldest first. `hasMore`: there were turns before them, and nobody counted how many. */
export function turnPlace(index: number, count: number, hasMore: boolean): TurnPlace {
  return hasMore ? { newer: count - 1 - index } : { number: index + 1 };
}
