import { expect, it } from 'vitest';
import { fileName } from './file-name.ts';

it('makes a file name of titles, whatever stands in them', () => {
  expect(fileName('benchmark', '3', 'Time to first byte, 95th percentile')).toBe(
    'warden-benchmark-3-time-to-first-byte-95th-percentile',
  );
  expect(fileName('Queue/wait (s)', '7d')).toBe('warden-queue-wait-s-7d');
});
