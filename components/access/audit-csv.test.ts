import { expect, it } from 'vitest';
import { toCsv } from '#components/charts/csv.ts';
import { AUDIT_HEADER, allEntries, auditRow } from './audit-csv.ts';

const ENTRY = {
  id: 1,
  time: '2026-11-30T12:00:00.000Z',
  actor: 'asha',
  role: 'admin',
  address: null,
  action: 'routing.change',
  subject: 'qwen',
  before: { affinity: true },
  after: { affinity: false },
};

it('has a row an entry, with what changed as JSON', () => {
  expect(toCsv(AUDIT_HEADER, [auditRow(ENTRY)])).toBe(
    'time,actor,role,address,action,subject,before,after\r\n' +
      '2026-11-30T12:00:00.000Z,asha,admin,,routing.change,qwen,"{""affinity"":true}","{""affinity"":false}"\r\n',
  );
});

it.each(['=HYPERLINK("http://evil.example")', '+1', '-1', '@SUM(A1)', '\tx'])('is no formula: %s', (subject) => {
  expect(auditRow({ ...ENTRY, subject })[5]).toBe(`'${subject}`);
});

it('reads page after page until there is none, however many there are', async () => {
  const kept = Array.from({ length: 25 }, (_, index) => ({ ...ENTRY, id: 25 - index }));
  const asked: (number | null)[] = [];
  const read = async (before: number | null) => {
    asked.push(before);
    const entries = kept.filter(({ id }) => before === null || id < before).slice(0, 10);
    return { entries, next: entries.length < 10 ? null : (entries.at(-1)?.id ?? null) };
  };
  expect(await allEntries(read)).toEqual(kept);
  expect(asked).toEqual([null, 16, 6]);
});
