import { expect, it } from 'vitest';
import { toCsv } from './csv.ts';

it('leaves unknown values empty and quotes what needs it', () => {
  expect(
    toCsv(
      ['time', 'a, b'],
      [
        ['12:00', 1.5],
        ['say "x"', null],
      ],
    ),
  ).toBe('time,"a, b"\r\n12:00,1.5\r\n"say ""x""",\r\n');
});
