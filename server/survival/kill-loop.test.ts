import { expect, it } from 'vitest';
import { runKillLoop } from './kill-loop.ts';

/** `npm run test:kill -- --times 200` sets it. */
const times = Number(process.env.WARDEN_TEST_KILLS ?? 5);

it(`kill -9 in the middle of writes, ${times} times: the database is sound, no home and no older row is lost`, {
  timeout: 120_000 + times * 15_000,
}, async () => {
  const report = await runKillLoop(times);
  console.log(JSON.stringify(report, null, 2));
  expect(report).toMatchObject({ kills: times, integrity: 'ok', danglingRows: 0, lostHomes: 0, lostRows: 0 });
  expect(report.turns).toBeGreaterThan(times * 5);
  expect(report.homes).toBeGreaterThan(5);
});
