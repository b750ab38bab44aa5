import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '#components/data/client.ts';
import { useFailureWords } from '#components/data/failure-words.ts';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { type AccountDraft, accountProblems, EMPTY_ACCOUNT, hasProblem } from './account.ts';
import { AccountFields } from './account-fields.tsx';

type Props = {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: string;
  readonly submit: string;
  readonly isPending: boolean;
  readonly error: ApiError | null;
  /** Given what is well formed. */
  readonly onSubmit: (account: { readonly name: string; readonly password: string }) => void;
  /** The password of somebody who is there already. */
  readonly nameOf?: string;
  readonly children?: ReactNode;
};

/** A dialog in which an account, or its password, is made. Mount it anew for each use. */
export function AccountDialog({ title, description, submit, isPending, error, onSubmit, nameOf, ...rest }: Props) {
  const ui = useTranslations('ui');
  const words = useFailureWords();
  const [draft, setDraft] = useState<AccountDraft>({ ...EMPTY_ACCOUNT, name: nameOf ?? '' });
  const [isTried, setTried] = useState(false);
  const send = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!hasProblem(accountProblems(draft))) onSubmit({ name: draft.name, password: draft.password });
  };
  const nameProblem = error?.field === 'name' ? words(error).detail : null;
  return (
    <Dialog
      open={rest.open}
      onOpenChange={rest.onOpenChange}
      title={title}
      {...(description === undefined ? {} : { description })}
    >
      <form onSubmit={send} noValidate className="space-y-4">
        {error && nameProblem === null ? (
          <Notice tone="bad" title={words(error).title}>
            {words(error).detail}
          </Notice>
        ) : null}
        <AccountFields
          draft={draft}
          onChange={setDraft}
          isTried={isTried}
          nameProblem={nameProblem}
          withoutName={nameOf !== undefined}
        />
        {rest.children}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => rest.onOpenChange(false)}>{ui('cancel')}</Button>
          <Button type="submit" look="primary" disabled={isPending}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
