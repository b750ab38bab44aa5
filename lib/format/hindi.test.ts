import { describe, expect, it } from 'vitest';
import { formatBytes } from './bytes.ts';
import { formatAge, formatSeconds, formatSecondsTick } from './duration.ts';
import { formatPercent } from './percent.ts';
import { formatClock, formatDateTime, formatMoment } from './time.ts';
import { formatCompact, formatExact } from './tokens.ts';

const noon = Date.UTC(2026, 10, 30, 12, 4, 31);

describe('numbers and times in Hindi', () => {
  it.each([
    [formatSeconds(0.38, 'hi'), '380 मि॰से॰'],
    [formatSeconds(0.0004, 'hi'), '<1 मि॰से॰'],
    [formatSeconds(2.05, 'hi'), '2.05 से॰'],
    [formatSeconds(83, 'hi'), '1 मि॰ 23 से॰'],
    [formatSeconds(187_200, 'hi'), '2 दिन 4 घं॰'],
    [formatSecondsTick(0.9, 'hi'), '900\u00a0मि॰से॰'],
    [formatAge(400, 'hi'), 'अभी'],
    [formatAge(2_400, 'hi'), '2 से॰ पहले'],
    [formatAge(432_000_000, 'hi'), '5 दिन पहले'],
    [formatPercent(78.14, 1, 'hi'), '78.1%'],
    [formatPercent(99.97, 1, 'hi'), '>99.9%'],
    [formatCompact(8.46, 'hi'), '8.46'],
    [formatCompact(950, 'hi'), '950'],
    [formatCompact(38_215, 'hi'), '38.2\u00a0हज़ार'],
    [formatCompact(1_240_000, 'hi'), '12.4\u00a0लाख'],
    [formatCompact(-1500, 'hi'), '−1.5\u00a0हज़ार'],
    [formatExact(1_240_000, 'hi'), '12,40,000'],
    [formatBytes(9728, 'hi'), '9.5 KiB'],
    [formatClock(noon, 'Asia/Kolkata', 'hi'), '17:34'],
    [formatDateTime(noon, 'UTC', 'hi'), '30 नव॰ 2026, 12:04:31'],
    [formatMoment(noon, noon + 86_400_000, 'UTC', 'hi'), '30 नव॰, 12:04'],
  ])('writes %s', (text, expected) => {
    expect(text).toBe(expected);
  });
});
