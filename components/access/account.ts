const MIN_PASSWORD = 8;

/** An account that is being made, as typed. */
export type AccountDraft = { readonly name: string; readonly password: string; readonly again: string };
export const EMPTY_ACCOUNT: AccountDraft = { name: '', password: '', again: '' };

/** What is wrong with each field, as a message of `access`; null where nothing is. */
export type AccountProblems = {
  readonly name: 'nameBad' | null;
  readonly password: 'passwordShort' | null;
  readonly again: 'passwordDiffers' | null;
};

/** The server has the last word; this is to say it before. */
export function accountProblems({ name, password, again }: AccountDraft): AccountProblems {
  return {
    name: /^[\p{L}\p{M}\p{N}._@-]{1,64}$/u.test(name) ? null : 'nameBad',
    password: [...password].length >= MIN_PASSWORD ? null : 'passwordShort',
    again: password === again ? null : 'passwordDiffers',
  };
}

export function hasProblem(problems: AccountProblems): boolean {
  return Object.values(problems).some((problem) => problem !== null);
}
