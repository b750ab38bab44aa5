import { describe, expect, it } from 'vitest';
import { createAlertBook } from './alert-book.ts';
import { createAlertRules } from './alert-rules.ts';
import { alertAction, alertMessage } from './alert-words.ts';
import { ALERT_CODES, type Observation, type ProcessView, type ReplicaView } from './types.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const GIBIBYTE = 1024 ** 3;
const WALL = 1_800_000_000_000;

const PROCESS: ProcessView = { model: 'qwen', url: 'http://a', up: true, isWholeModelDown: false, restartedAt: null };
const REPLICA: ReplicaView = {
  model: 'qwen',
  replica: 1,
  url: 'http://a',
  readAt: null,
  waiting: null,
  tokens: null,
  workingSetTokens: null,
  capacityTokens: null,
};

/** Rules and book on a clock of their own, looked at every five seconds. */
function watchInVirtualTime() {
  const rules = createAlertRules();
  const book = createAlertBook();
  const log: string[] = [];
  let at = 0;
  return {
    log,
    raised: () => book.raised(),
    now: () => at,
    /** Looks for `ms`; what is seen may depend on the time since the beginning of this stretch. */
    pass(ms: number, see: (elapsed: number, at: number) => Partial<Observation>) {
      for (let elapsed = 0; elapsed < ms; elapsed += 5 * SECOND) {
        at += 5 * SECOND;
        const nothing = { processes: [], replicas: [], models: [], disk: null, refusedKeys: null };
        const conditions = rules({ ...nothing, at, now: WALL + at, ...see(elapsed, at) });
        for (const { kind, alert } of book.update(conditions, at, WALL + at)) log.push(`${kind} ${alert.code}`);
      }
    },
  };
}

const process = (fields: Partial<ProcessView>) => () => ({ processes: [{ ...PROCESS, ...fields }] });

describe('an engine that is down', () => {
  it('is told after half a minute, and is over once it has been up for a moment', () => {
    const watch = watchInVirtualTime();
    watch.pass(25 * SECOND, process({ up: false }));
    expect(watch.log).toEqual([]);
    watch.pass(15 * SECOND, process({ up: false, isWholeModelDown: true }));
    expect(watch.log).toEqual(['raised engine_down']);
    expect(watch.raised()).toMatchObject([{ severity: 'critical', since: WALL + 5 * SECOND }]);
    watch.pass(5 * SECOND, process({ up: true }));
    expect(watch.raised()).toHaveLength(1);
    watch.pass(10 * SECOND, process({ up: true }));
    expect(watch.log).toEqual(['raised engine_down', 'resolved engine_down']);
    expect(watch.raised()).toEqual([]);
  });

  it('that flaps every twenty seconds raises nothing, and flapping while it is raised does not end it', () => {
    const watch = watchInVirtualTime();
    const flapping = (elapsed: number) => process({ up: Math.floor(elapsed / (20 * SECOND)) % 2 === 0 })();
    watch.pass(10 * MINUTE, flapping);
    expect(watch.log).toEqual([]);
    watch.pass(MINUTE, process({ up: false }));
    watch.pass(MINUTE, (elapsed) => process({ up: elapsed % (10 * SECOND) === 0 })());
    expect(watch.log).toEqual(['raised engine_down']);
  });

  it('is over with its model when that is no longer configured', () => {
    const watch = watchInVirtualTime();
    watch.pass(MINUTE, process({ up: false }));
    watch.pass(5 * SECOND, () => ({ processes: [] }));
    expect(watch.log).toEqual(['raised engine_down', 'resolved engine_down']);
  });
});

describe('an engine that restarted', () => {
  it('is told at once and for ten minutes; how it was found at the start is not news', () => {
    const watch = watchInVirtualTime();
    watch.pass(MINUTE, process({ restartedAt: 111 }));
    expect(watch.log).toEqual([]);
    watch.pass(5 * SECOND, process({ restartedAt: 222 }));
    expect(watch.log).toEqual(['raised engine_restarted']);
    watch.pass(9 * MINUTE, process({ restartedAt: 222 }));
    expect(watch.raised()).toHaveLength(1);
    watch.pass(2 * MINUTE, process({ restartedAt: 222 }));
    expect(watch.log).toEqual(['raised engine_restarted', 'resolved engine_restarted']);
  });
});

describe('a replica that is stuck', () => {
  const replica = (fields: (at: number) => Partial<ReplicaView>) => (_elapsed: number, at: number) => ({
    replicas: [{ ...REPLICA, readAt: at, ...fields(at) }],
  });

  it('is told after two minutes with requests waiting and not a token', () => {
    const watch = watchInVirtualTime();
    watch.pass(
      MINUTE,
      replica((at) => ({ waiting: 2, tokens: at })),
    );
    watch.pass(
      110 * SECOND,
      replica((at) => ({ waiting: 2 + Math.floor(at / MINUTE), tokens: 5 })),
    );
    expect(watch.log).toEqual([]);
    watch.pass(
      30 * SECOND,
      replica(() => ({ waiting: 6, tokens: 5 })),
    );
    expect(watch.log).toEqual(['raised replica_stuck']);
    expect(watch.raised()).toMatchObject([{ subject: { replica: 1 }, values: { waiting: 6 } }]);
    watch.pass(
      30 * SECOND,
      replica((at) => ({ waiting: 6, tokens: at })),
    );
    expect(watch.log).toEqual(['raised replica_stuck', 'resolved replica_stuck']);
  });

  it('is told and is over as well where the engine is read less often than it is looked at', () => {
    const watch = watchInVirtualTime();
    const read = (at: number): number => Math.floor(at / (12 * SECOND)) * 12 * SECOND;
    watch.pass(
      3 * MINUTE,
      replica((at) => ({ readAt: read(at), waiting: 2, tokens: 5 })),
    );
    expect(watch.log).toEqual(['raised replica_stuck']);
    watch.pass(
      MINUTE,
      replica((at) => ({ readAt: read(at), waiting: 2, tokens: read(at) })),
    );
    expect(watch.log).toEqual(['raised replica_stuck', 'resolved replica_stuck']);
  });

  it.each([
    ['makes a token now and then', (at: number) => ({ waiting: 9, tokens: Math.floor(at / MINUTE) })],
    ['has nobody waiting', () => ({ waiting: 0, tokens: 5 })],
    ['works its queue off', (at: number) => ({ waiting: Math.max(0, 50 - at / MINUTE), tokens: 5 })],
    ['does not report its queue', () => ({ waiting: null, tokens: 5 })],
    ['has no fresh reading', () => ({ readAt: null, waiting: 9, tokens: 5 })],
  ])('is not one that %s', (_what, fields) => {
    const watch = watchInVirtualTime();
    watch.pass(20 * MINUTE, replica(fields));
    expect(watch.log).toEqual([]);
  });
});

describe('the cached share', () => {
  /** Requests at ten a minute, `share` of their prompt cached. */
  function traffic(share: () => number) {
    let sums = { model: 'qwen', requests: 0, promptTokens: 0, cachedTokens: 0 };
    return () => {
      const { requests, promptTokens, cachedTokens } = sums;
      sums = {
        ...sums,
        requests: requests + 1,
        promptTokens: promptTokens + 1000,
        cachedTokens: cachedTokens + 1000 * share(),
      };
      return { models: [sums] };
    };
  }

  it('that collapses is told once, stays told for as long as it lasts, and is over when it recovers', () => {
    const watch = watchInVirtualTime();
    let share = 0.8;
    const seen = traffic(() => share);
    watch.pass(60 * MINUTE, seen);
    share = 0.1;
    watch.pass(20 * MINUTE, seen);
    expect(watch.log).toEqual(['raised hit_share_collapsed']);
    expect(watch.raised()[0]?.values).toMatchObject({ percent: 10, usual_percent: 80 });
    watch.pass(300 * MINUTE, seen);
    expect(watch.log).toEqual(['raised hit_share_collapsed']);
    share = 0.75;
    watch.pass(20 * MINUTE, seen);
    expect(watch.log).toEqual(['raised hit_share_collapsed', 'resolved hit_share_collapsed']);
  });

  it('that was always low, or of a handful of requests, is no news', () => {
    const low = watchInVirtualTime();
    let share = 0.2;
    const seen = traffic(() => share);
    low.pass(60 * MINUTE, seen);
    share = 0;
    low.pass(60 * MINUTE, seen);
    expect(low.log).toEqual([]);

    const rare = watchInVirtualTime();
    rare.pass(180 * MINUTE, (_elapsed, at) => {
      const requests = Math.floor(at / (2 * MINUTE));
      const cached = Math.min(requests, 45) * 900;
      return { models: [{ model: 'qwen', requests, promptTokens: requests * 1000, cachedTokens: cached }] };
    });
    expect(rare.log).toEqual([]);
  });
});

describe('what does not fit', () => {
  it('a working set above the cache is told after five minutes, and is over below nine tenths of it', () => {
    const watch = watchInVirtualTime();
    const holding = (workingSetTokens: number | null) => () => ({
      replicas: [{ ...REPLICA, workingSetTokens, capacityTokens: 1000 }],
    });
    watch.pass(20 * MINUTE, holding(null));
    watch.pass(4 * MINUTE, holding(1100));
    expect(watch.log).toEqual([]);
    watch.pass(2 * MINUTE, holding(1100));
    watch.pass(20 * MINUTE, holding(950));
    expect(watch.log).toEqual(['raised working_set_above_cache']);
    watch.pass(3 * MINUTE, holding(800));
    expect(watch.log).toEqual(['raised working_set_above_cache', 'resolved working_set_above_cache']);
  });

  it('a disk is nearly full below a gibibyte, or below a tenth of a small one', () => {
    const watch = watchInVirtualTime();
    const disk = (free: number, total: number) => () => ({
      disk: { freeBytes: free * GIBIBYTE, totalBytes: total * GIBIBYTE },
    });
    watch.pass(10 * MINUTE, disk(1.2, 4000));
    watch.pass(10 * MINUTE, disk(0.3, 2));
    expect(watch.log).toEqual([]);
    watch.pass(2 * MINUTE, disk(0.9, 4000));
    expect(watch.log).toEqual(['raised disk_nearly_full']);
    watch.pass(10 * MINUTE, disk(1.2, 4000));
    expect(watch.log).toEqual(['raised disk_nearly_full']);
    watch.pass(2 * MINUTE, disk(2, 4000));
    expect(watch.log).toEqual(['raised disk_nearly_full', 'resolved disk_nearly_full']);
  });
});

describe('keys that fail', () => {
  it('are told when twenty requests in five minutes had none that is valid, however many there were before', () => {
    const watch = watchInVirtualTime();
    let refused = 5000;
    watch.pass(10 * MINUTE, () => ({ refusedKeys: refused }));
    refused += 19;
    watch.pass(10 * MINUTE, () => ({ refusedKeys: refused }));
    expect(watch.log).toEqual([]);
    refused += 25;
    watch.pass(4 * MINUTE, () => ({ refusedKeys: refused }));
    expect(watch.log).toEqual(['raised keys_failing']);
    watch.pass(4 * MINUTE, () => ({ refusedKeys: refused }));
    expect(watch.log).toEqual(['raised keys_failing', 'resolved keys_failing']);
  });
});

describe('the words of an alert', () => {
  it.each(ALERT_CODES)('say what is wrong and what to do: %s', (code) => {
    const values = { waiting: 3, seconds: 120, free_mb: 5, refused: 20, percent: 1, usual_percent: 80, tokens: 9 };
    const subject = { model: 'qwen', replica: 0, url: 'http://a' };
    const message = alertMessage({ id: 'x', code, severity: 'info', subject, values, since: 0 });
    expect(message).toMatch(/^.{20,}[.]$/);
    expect(message).not.toMatch(/null|undefined|NaN/);
    expect(alertAction({ code })).toMatch(/^.{20,}[.]$/);
  });
});
