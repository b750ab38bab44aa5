import { z } from 'zod';
import { MEMBERS_KEY, PROBE_KEY } from '#server/fleet/shared-keys.ts';
import { readSharedUrl, type SharedAddress } from '#server/fleet/shared-url.ts';
import { createValkeyClient, type ValkeyClient } from '#server/fleet/valkey-client.ts';
import { bad, type Finding, ok, reasonOf, warn } from './finding.ts';

const CHECK = 'shared memory';
const OLDEST_MAJOR = 7;
const CLOCK_SECONDS = 5;
const PATIENCE_MS = 10_000;

const time = z.tuple([z.coerce.number(), z.coerce.number()]);

/** Looks at the memory of `WARDEN_SHARED` as LM Warden would use it. `now`: this machine's clock, ms since the epoch. */
export async function checkShared(text: string, now: () => number = Date.now): Promise<readonly Finding[]> {
  const address = readOrSay(text);
  if ('check' in address) return [address];
  let lastError: unknown = null;
  const client = createValkeyClient(address, (error) => {
    lastError = error;
  });
  try {
    return await withinPatience(look(client, now));
  } catch (error) {
    const where = address.nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
    const fix =
      'See that Valkey or Redis runs there and is reached from this machine, and that user, password and TLS are right.';
    return [bad(CHECK, `${where} cannot be used: ${reasonOf(error ?? lastError)}`, fix)];
  } finally {
    client.destroy();
  }
}

function readOrSay(text: string): SharedAddress | Finding {
  try {
    return readSharedUrl(text);
  } catch (error) {
    return bad(CHECK, `${reasonOf(error)}.`, 'Mend the variable; docs/fleet.md has its forms.');
  }
}

async function look(client: ValkeyClient, now: () => number): Promise<readonly Finding[]> {
  await client.connect();
  const info = z.string().parse(await client.send(PROBE_KEY, ['INFO']));
  const version = versionFinding(info);
  const asked = now();
  const [seconds, micros] = time.parse(await client.send(PROBE_KEY, ['TIME']));
  const clock = clockFinding(seconds * 1000 + micros / 1000 - (asked + now()) / 2);
  return [version, await writing(client), clock, ...evictionFindings(info)];
}

/** `redis_version` of Valkey says what of Redis it is compatible with. */
function versionFinding(info: string): Finding {
  const redis = fieldOf(info, 'redis_version');
  const valkey = fieldOf(info, 'valkey_version');
  const named = valkey === null ? `Redis ${redis ?? 'of an unknown version'}` : `Valkey ${valkey}`;
  if (Number((redis ?? '').split('.')[0]) >= OLDEST_MAJOR) return ok(CHECK, `${named}.`);
  return bad(CHECK, `${named} is too old.`, 'Use Valkey, or Redis 7.0 or later.');
}

async function writing(client: ValkeyClient): Promise<Finding> {
  try {
    await client.send(PROBE_KEY, ['SET', PROBE_KEY, '', 'EX', '1']);
    const members = z.number().parse(await client.send(MEMBERS_KEY, ['ZCARD', MEMBERS_KEY]));
    return ok(CHECK, `It can be written; ${members === 1 ? '1 warden shares' : `${members} wardens share`} it.`);
  } catch (error) {
    const fix = 'Give its user the keys and channels warden:* (ACL: ~warden:* &warden:* +@all -@dangerous +info).';
    return bad(CHECK, `It cannot be written: ${reasonOf(error)}`, fix);
  }
}

/** All times in the memory are its own, so this disturbs nothing but whoever compares logs. */
function clockFinding(aheadMs: number): Finding {
  const seconds = Math.round(aheadMs / 1000);
  if (Math.abs(seconds) <= CLOCK_SECONDS) return ok(CHECK, 'The clocks agree.');
  const found = `Its clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}; wardens go by its clock alone.`;
  return warn(CHECK, found, 'Run chrony or systemd-timesyncd on both machines, so that logs fit together.');
}

function evictionFindings(info: string): readonly Finding[] {
  const policy = fieldOf(info, 'maxmemory_policy');
  const limit = Number(fieldOf(info, 'maxmemory') ?? 0);
  if (limit === 0 || policy === null || policy === 'noeviction') return [];
  const found = `With maxmemory-policy ${policy} it gives up homes when it is full: their conversations are placed anew.`;
  return [warn(CHECK, found, 'Set maxmemory-policy noeviction, and give it room: 200 MB for a million conversations.')];
}

function fieldOf(info: string, name: string): string | null {
  return new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1] ?? null;
}

function withinPatience<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = new Error(`no answer within ${PATIENCE_MS / 1000} s`);
    const deadline = setTimeout(() => reject(late), PATIENCE_MS);
    work.then(resolve, reject).finally(() => clearTimeout(deadline));
  });
}
