import { describe, expect, it } from 'vitest';
import { formatClock, formatClockSeconds, formatDateTime, formatDay, formatMoment } from './time.ts';

const noon = Date.UTC(2026, 10, 30, 12, 4, 31);

describe('times', () => {
  it.each([
    [formatClock(noon, 'UTC'), '12:04'],
    [formatClockSeconds(noon, 'UTC'), '12:04:31'],
    [formatDay(noon, 'UTC'), '30 Nov'],
    [formatDateTime(noon, 'UTC'), '30 Nov 2026, 12:04:31'],
    [formatClock(Date.UTC(2026, 10, 30, 0, 0), 'UTC'), '00:00'],
    [formatClock(noon, 'Asia/Kolkata'), '17:34'],
  ])('writes %s', (text, expected) => {
    expect(text).toBe(expected);
  });

  it('names the day only where it is not the day of now', () => {
    expect(formatMoment(noon, noon + 3_600_000, 'UTC')).toBe('12:04');
    expect(formatMoment(noon, noon + 86_400_000, 'UTC')).toBe('30 Nov, 12:04');
  });
});
