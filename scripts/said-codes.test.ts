import { expect, it } from 'vitest';
import { requests } from '#components/messages/en/requests.ts';
import { sessions } from '#components/messages/en/sessions.ts';
import { MISS_CODES } from '#lib/conversations/miss.ts';
import { REASON_CODES } from '#lib/routing/reason.ts';

it('has words for every reason of a decision, and for none that there is not', () => {
  expect(Object.keys(requests.why).sort()).toEqual([...REASON_CODES].sort());
});

it('has words for every cause of a miss, and for none that there is not', () => {
  expect(Object.keys(sessions.miss).sort()).toEqual([...MISS_CODES].sort());
});
