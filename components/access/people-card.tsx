import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFailureWords } from '#components/data/failure-words.ts';
import { useFormat } from '#components/language/use-format.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Confirm } from '#components/ui/confirm.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Select } from '#components/ui/select.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import type { PersonState } from '#lib/contract/access.ts';
import { usePersonChange, usePersonRemoval } from './changes.ts';
import { NewPassword } from './new-password.tsx';
import { NewPerson } from './new-person.tsx';
import { usePeople } from './queries.ts';

/** The people who may sign in, and what an admin does with their accounts. */
export function PeopleCard({ ownName }: { readonly ownName: string | null }) {
  const t = useTranslations('access.people');
  const words = useFailureWords();
  const query = usePeople();
  const change = usePersonChange();
  const removal = usePersonRemoval();
  const [isAdding, setAdding] = useState(false);
  const [resetting, setResetting] = useState<PersonState | null>(null);
  const [removing, setRemoving] = useState<PersonState | null>(null);
  const columns = usePeopleColumns({
    ownName,
    onRole: (person, role) => change.mutate({ id: person.id, role }),
    onReset: setResetting,
    onRemove: setRemoving,
  });
  const error = change.error ?? removal.error;
  const isLast = query.data?.people.length === 1;
  return (
    <Card title={t('title')} actions={<Button onClick={() => setAdding(true)}>{t('add')}</Button>} flush>
      {error ? (
        <Notice tone="bad" title={words(error).title} className="m-4">
          {words(error).detail}
        </Notice>
      ) : null}
      <PollState query={query} loading={<Skeleton className="m-4 h-24" />}>
        {({ people }) => (
          <Table caption={t('table.caption')} columns={columns} rows={people} rowKey={({ id }) => String(id)} />
        )}
      </PollState>
      {isAdding ? <NewPerson onClose={() => setAdding(false)} /> : null}
      {resetting === null ? null : <NewPassword person={resetting} onClose={() => setResetting(null)} />}
      <Confirm
        open={removing !== null}
        onOpenChange={(open) => setRemoving(open ? removing : null)}
        title={t('removeTitle', { name: removing?.name ?? '' })}
        description={
          <>
            <p>{t('removeWhy')}</p>
            {isLast ? <p className="mt-2">{t('removeLast')}</p> : null}
          </>
        }
        confirm={t('remove')}
        onConfirm={() => removing && removal.mutate(removing.id)}
      />
    </Card>
  );
}

type Actions = {
  readonly ownName: string | null;
  readonly onRole: (person: PersonState, role: PersonState['role']) => void;
  readonly onReset: (person: PersonState) => void;
  readonly onRemove: (person: PersonState) => void;
};

function usePeopleColumns({
  ownName,
  onRole,
  onReset,
  onRemove,
}: Actions): [Column<PersonState>, ...Column<PersonState>[]] {
  const t = useTranslations('access.people');
  const access = useTranslations('access');
  const format = useFormat();
  const roles = [
    { value: 'admin', label: access('roles.admin') },
    { value: 'viewer', label: access('roles.viewer') },
  ];
  return [
    {
      header: t('table.name'),
      cell: ({ name }) => (
        <span className="inline-flex items-center gap-2">
          <span className="break-all">{name}</span>
          {name === ownName ? <Pill>{t('you')}</Pill> : null}
        </span>
      ),
    },
    {
      header: t('table.role'),
      cell: (person) => (
        <span title={access(`rolesWhat.${person.role}`)}>
          <Select
            label={t('roleOf', { name: person.name })}
            value={person.role}
            options={roles}
            className="min-w-28"
            onChange={(value) => onRole(person, value === 'admin' ? 'admin' : 'viewer')}
          />
        </span>
      ),
    },
    { header: t('table.since'), cell: ({ created_at }) => format.day(Date.parse(created_at)) },
    {
      header: t('table.password'),
      cell: ({ password_changed_at, password_is_fixed }) =>
        password_is_fixed ? t('fromEnvironment') : format.day(Date.parse(password_changed_at)),
    },
    {
      header: t('table.actions'),
      wide: true,
      cell: (person) => (
        <span className="flex gap-2 max-lg:flex-wrap">
          <Button
            aria-label={t('newPasswordNamed', { name: person.name })}
            disabled={person.password_is_fixed}
            onClick={() => onReset(person)}
          >
            {t('newPassword')}
          </Button>
          <Button look="quiet" aria-label={t('removeNamed', { name: person.name })} onClick={() => onRemove(person)}>
            {t('remove')}
          </Button>
        </span>
      ),
    },
  ];
}
