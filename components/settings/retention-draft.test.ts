import { describe, expect, it } from 'vitest';
import { changesOf, type Kept, readAmount } from './retention-draft.ts';

const kept: readonly Kept[] = [
  { name: 'raw_hours', value: 48, default: 48, chosen: false },
  { name: 'minute_days', value: 30, default: 14, chosen: true },
];

describe('a draft of how long things are kept', () => {
  it('changes only what is typed and is another number', () => {
    expect(changesOf({ raw_hours: '72', minute_days: ' 30 ' }, kept)).toEqual({
      changes: { raw_hours: 72 },
      deletes: false,
      any: true,
    });
    expect(changesOf({}, kept)).toMatchObject({ any: false });
  });

  it('gives back to the default what is typed as it is by default, and tells that this deletes', () => {
    expect(changesOf({ minute_days: '14' }, kept)).toEqual({
      changes: { minute_days: null },
      deletes: true,
      any: true,
    });
  });

  it.each(['', '0', '2161', '1.5', '-3', 'two', '1e2'])('takes no %j hours', (text) => {
    expect(readAmount('raw_hours', text)).toBeNull();
    expect(changesOf({ raw_hours: text }, kept)).toBeNull();
  });
});
