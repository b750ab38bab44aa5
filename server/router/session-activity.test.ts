import { describe, expect, it } from 'vitest';
import { createSessionActivities } from './session-activity.ts';

describe('a turn that its replica could not take', () => {
  it('is counted as what it became, and taken back as that', () => {
    const activities = createSessionActivities();
    activities.started('a', null, 'spilled', false);
    activities.movedOn('a', 'spilled', 'failed_over');
    expect(activities.get('a')).toMatchObject({ turns: 1, inFlight: 1, spills: 0, lastDecision: 'failed_over' });
    activities.withdrawn('a', 'failed_over', false);
    expect(activities.get('a')).toMatchObject({ turns: 0, inFlight: 0, spills: 0 });
  });
});

describe('a turn that was not sent', () => {
  it('leaves no trace in what is counted of its conversation', () => {
    const activities = createSessionActivities();
    activities.started('a', null, 'spilled', true);
    const { turns, inFlight, spills, displaced } = activities.get('a') ?? {};
    expect({ turns, inFlight, spills, displaced }).toEqual({ turns: 1, inFlight: 1, spills: 1, displaced: 1 });
    activities.started('a', null, 'spilled', true);
    activities.withdrawn('a', 'spilled', true);
    activities.started('a', null, 'sticky', false);
    activities.withdrawn('a', 'sticky', false);
    expect(activities.get('a')).toMatchObject({ turns, inFlight, spills, displaced });
  });
});
