import { expect, it } from 'vitest';
import { troubleOf } from './trouble.ts';

it.each([
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_BUSY', 'another program has it locked'],
  ['SQLITE_BUSY_SNAPSHOT', 'another program has it locked'],
  ['SQLITE_READONLY', 'it is read-only'],
  ['SQLITE_READONLY_DBMOVED', 'it is read-only'],
  ['SQLITE_NOTADB', 'it is damaged or no database'],
  ['SQLITE_CORRUPT_VTAB', 'it is damaged or no database'],
  ['SQLITE_CANTOPEN', 'it cannot be opened'],
  ['EACCES', 'it cannot be opened'],
  ['SQLITE_IOERR_WRITE', 'the disk reports errors'],
])('names the trouble behind %s', (code, cause) => {
  expect(troubleOf({ code, message: 'database or disk is something' }).cause).toBe(cause);
});

it('tells what it has no words for as it was told', () => {
  const message = 'it was written by a newer version of LM Warden';
  expect(troubleOf({ code: null, message }).cause).toBe(message);
  expect(troubleOf({ code: 'SQLITE_ERROR', message }).cause).toBe(message);
});
