import { describe, expect, it } from 'vitest';
import { createSessionActivities } from './session-activity.ts';

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
