import { createHash } from 'node:crypto';

/** Where changes are told to the other wardens. */
export const CHANGES_CHANNEL = 'warden:changes';
/** Sorted set of the wardens by when they were last heard, in ms of the server's own clock. */
export const MEMBERS_KEY = 'warden:members';
/** Names of all models that a warden has ever served here. */
export const MODELS_KEY = 'warden:models';

/** What each warden tells of itself, as JSON. */
export const ABOUT_KEY = 'warden:about';

/** Written with each connection; nobody reads it. */
export const PROBE_KEY = 'warden:probe';

/** The replica that a conversation lives on. Many: so the model's name is only a digest, and nothing is in braces. */
export function homeKey(model: string, keyHash: string): string {
  return `warden:h:${digest(model)}:${keyHash}`;
}

/** Requests in flight by replica: of all wardens, and of one. In one node of a cluster, as one script changes both. */
export const loadKeys = (model: string, warden: string): readonly [string, string] => [
  `warden:{load:${model}}:all`,
  `warden:{load:${model}}:of:${warden}`,
];

export const settingKey = (model: string): string => `warden:setting:${model}`;

/** Who may enter, sealed by record; another one for each secret, and for each way of sealing. */
export const accessKey = (vaultId: string): string => `warden:access:1:${vaultId}`;
/** What each warden counts of the keys with limits, sealed. */
export const keyUseKey = (vaultId: string): string => `warden:key-use:1:${vaultId}`;

const digests = new Map<string, string>();

function digest(model: string): string {
  const known = digests.get(model);
  if (known !== undefined) return known;
  const made = createHash('sha256').update(model).digest('base64url').slice(0, 8);
  digests.set(model, made);
  return made;
}
