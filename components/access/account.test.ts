import { describe, expect, it } from 'vitest';
import { accountProblems, hasProblem } from './account.ts';

const good = { name: 'asha', password: 'eight characters', again: 'eight characters' };

describe('an account that is being made', () => {
  it.each(['asha', 'ravi.k', 'admin@box', 'प्रिया', 'a-b_c'])('may be called %s', (name) => {
    expect(hasProblem(accountProblems({ ...good, name }))).toBe(false);
  });

  it.each(['', 'two words', '<b>', 'a/b', 'x'.repeat(65)])('may not be called %j', (name) => {
    expect(accountProblems({ ...good, name }).name).toBe('nameBad');
  });

  it('needs a password of eight characters, whatever these are', () => {
    expect(accountProblems({ ...good, password: 'seven77', again: 'seven77' }).password).toBe('passwordShort');
    expect(hasProblem(accountProblems({ ...good, password: 'आठ अक्षर!', again: 'आठ अक्षर!' }))).toBe(false);
  });

  it('needs it twice', () => {
    expect(accountProblems({ ...good, again: 'eight character' }).again).toBe('passwordDiffers');
  });
});
