/** Every key of ours begins so: people and secret scanners recognise it, and it is never sent on to an engine. */
export const KEY_PREFIX = 'lmw_';

/** How much of a key is kept in the clear: enough to tell two apart, 24 of 256 bits. */
const SHOWN_CHARACTERS = KEY_PREFIX.length + 4;

type KeyHeaders = {
  readonly authorization?: string | undefined;
  readonly 'x-api-key'?: string | readonly string[] | undefined;
};

/** The keys that a client presents, as `Authorization: Bearer` and `x-api-key`: some send both, for two servers. */
export function presentedKeys({ authorization, 'x-api-key': key }: KeyHeaders): readonly string[] {
  const bearer = authorization?.replace(/^Bearer\s+/i, '');
  return [bearer, key].filter((one): one is string => typeof one === 'string' && one !== '');
}

/** The one of them that an engine would read; null where there is none. */
export function presentedKey(headers: KeyHeaders): string | null {
  return presentedKeys(headers)[0] ?? null;
}

/** A query without what is a key of ours: it would end up in the engine's log. `query` begins with its question mark. */
export function withoutKeys(query: string): string {
  if (!query.includes(KEY_PREFIX)) return query;
  const kept = query
    .slice(1)
    .split('&')
    .filter((part) => !part.includes(KEY_PREFIX));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

export function shownPrefix(key: string): string {
  return key.slice(0, SHOWN_CHARACTERS);
}
