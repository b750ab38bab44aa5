import { describe, expect, it } from 'vitest';
import { formatBytes } from './bytes.ts';

describe('formatBytes', () => {
  it.each([
    [0, '0 B'],
    [512, '512 B'],
    [1023, '1,023 B'],
    [1024, '1 KiB'],
    [9728, '9.5 KiB'],
    [1_048_200, '1 MiB'],
    [157_286_400, '150 MiB'],
    [1_331_439_862, '1.24 GiB'],
  ])('writes %d as %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
