import { describe, expect, it } from 'vitest';
import { createHitWindow } from './hit-window.ts';

const MINUTE = 60_000;

describe('the hit share of the last five minutes', () => {
  it('is unknown before anything was asked for', () => {
    const window = createHitWindow();
    expect(window.share()).toBeNull();
    window.add(0, 100, 300);
    expect(window.share()).toBeNull();
  });

  it('counts what came since the oldest reading, not what the engine counted before', () => {
    const window = createHitWindow();
    window.add(0, 1000, 0);
    window.add(MINUTE, 1030, 10);
    expect(window.share()).toBe(0.75);
  });

  it('forgets what is older than five minutes', () => {
    const window = createHitWindow();
    window.add(0, 0, 0);
    window.add(MINUTE, 0, 100);
    window.add(7 * MINUTE, 100, 100);
    expect(window.share()).toBe(1);
  });

  it('begins anew when counters went back, and passes over readings that say nothing', () => {
    const window = createHitWindow();
    window.add(0, 500, 500);
    window.add(1, null, 600);
    window.add(2, 0, 0);
    window.add(3, 10, 30);
    expect(window.share()).toBe(0.25);
  });
});
