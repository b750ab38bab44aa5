import type { Failure } from './worker-protocol.ts';

/** What is wrong with the database file (the rest of a sentence about it) and what a person can do (a sentence). */
export type Trouble = { readonly cause: string; readonly remedy: string };

const TROUBLES: readonly (readonly [RegExp, Trouble])[] = [
  [/^(SQLITE_FULL|ENOSPC)/, { cause: 'the disk is full', remedy: 'Free some space on the disk.' }],
  [
    /^(SQLITE_READONLY|EROFS)/,
    { cause: 'it is read-only', remedy: 'Make the file and its folder writable for the user that runs LM Warden.' },
  ],
  [
    /^(SQLITE_BUSY|SQLITE_LOCKED)/,
    { cause: 'another program has it locked', remedy: 'Close the program that has it open.' },
  ],
  [
    /^(SQLITE_NOTADB|SQLITE_CORRUPT)/,
    {
      cause: 'it is damaged or no database',
      remedy: 'Move the file away, or put a copy of it from before in its place.',
    },
  ],
  [
    /^(SQLITE_CANTOPEN|SQLITE_PERM|EACCES|EPERM|ENOENT|ENOTDIR)/,
    {
      cause: 'it cannot be opened',
      remedy: 'Check that its folder exists and is writable for the user that runs LM Warden, or set WARDEN_DATA_DIR.',
    },
  ],
  [/^SQLITE_IOERR/, { cause: 'the disk reports errors', remedy: 'Check the disk.' }],
];

/** Names the trouble in words for a person; what has no words of its own is told as SQLite tells it. */
export function troubleOf({ code, message }: Failure): Trouble {
  const known = TROUBLES.find(([pattern]) => code !== null && pattern.test(code));
  return known?.[1] ?? { cause: message, remedy: 'The log says more.' };
}
