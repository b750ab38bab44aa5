import { createClient } from '@redis/client';
import pino from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '#scripts/start-redis.ts';
import { connectShared, type SharedConnection } from './shared-connection.ts';
import { CHANGES_CHANNEL, loadKeys, PROBE_KEY } from './shared-keys.ts';
import { REPORT_LOAD } from './shared-scripts.ts';
import { readSharedUrl } from './shared-url.ts';

let redis: TestRedis;
let connection: SharedConnection;

beforeEach(async () => {
  redis = await startRedis();
  await new Promise<void>((resolve) => {
    connection = connectShared({
      address: readSharedUrl(redis.url),
      channel: CHANGES_CHANNEL,
      probeKey: PROBE_KEY,
      onMessage: () => {},
      onUp: resolve,
      onAway: () => {},
      log: pino({ level: 'silent' }),
    });
  });
});

afterEach(async () => {
  connection.close();
  await redis.close();
});

it('tells the count of the moment where a script has to be sent again, not one that was told over meanwhile', async () => {
  const keys = loadKeys('m', 'one');
  const client = await createClient({ url: redis.url }).connect();
  let count = 3;
  // The server, just started, does not know the script. Before that is heard here, another warden has brought it, a request
  // has ended, and its count is told.
  const told = connection.run(REPORT_LOAD, keys, () => ['a', String(count)]);
  const brought = connection.send(keys[0], ['SCRIPT', 'LOAD', REPORT_LOAD.text]);
  count = 2;
  const toldNext = connection.run(REPORT_LOAD, keys, () => ['a', String(count)]);
  await Promise.all([told, brought, toldNext]);
  expect(await client.hGetAll(keys[1])).toEqual({ a: '2' });
  client.destroy();
});
