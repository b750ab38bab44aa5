import { useTranslations } from 'use-intl';
import { type AccountDraft, accountProblems } from './account.ts';
import { TextInput } from './text-input.tsx';

type Props = {
  readonly draft: AccountDraft;
  readonly onChange: (draft: AccountDraft) => void;
  /** Tells what is wrong; not before it was tried. */
  readonly isTried: boolean;
  /** What the router said of the name. */
  readonly nameProblem?: string | null;
  /** The name is fixed: somebody gets another password. */
  readonly withoutName?: boolean;
};

/** Name and password of an account that is being made. */
export function AccountFields({ draft, onChange, isTried, nameProblem = null, withoutName = false }: Props) {
  const t = useTranslations('access');
  const problems = accountProblems(draft);
  const say = (problem: 'nameBad' | 'passwordShort' | 'passwordDiffers' | null) =>
    isTried && problem !== null ? t(problem) : null;
  return (
    <>
      {withoutName ? null : (
        <TextInput
          label={t('name')}
          value={draft.name}
          onChange={(name) => onChange({ ...draft, name })}
          problem={say(problems.name) ?? nameProblem}
          hint={t('nameHint')}
          autoComplete="username"
          maxLength={64}
        />
      )}
      <TextInput
        label={t('password')}
        type="password"
        value={draft.password}
        onChange={(password) => onChange({ ...draft, password })}
        problem={say(problems.password)}
        hint={t('passwordHint')}
        autoComplete="new-password"
      />
      <TextInput
        label={t('passwordAgain')}
        type="password"
        value={draft.again}
        onChange={(again) => onChange({ ...draft, again })}
        problem={say(problems.again)}
        autoComplete="new-password"
      />
    </>
  );
}
