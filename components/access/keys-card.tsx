import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFailureWords } from '#components/data/failure-words.ts';
import { useMayChange } from '#components/data/session.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Confirm } from '#components/ui/confirm.tsx';
import { Empty } from '#components/ui/empty.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { PollState } from '#components/ui/poll-state.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { ApiKeyState, KeyList } from '#lib/contract/access.ts';
import { useKeyRevocation } from './changes.ts';
import { KeyTable } from './key-table.tsx';
import { NewKey } from './new-key.tsx';
import { useKeys } from './queries.ts';
import { SharedKeysNote } from './shared-keys-note.tsx';

/** The keys for `/v1`: made, looked at, revoked. */
export function KeysCard() {
  const t = useTranslations('access');
  const words = useFailureWords();
  const mayChange = useMayChange();
  const query = useKeys('24h');
  const revocation = useKeyRevocation();
  const [isMaking, setMaking] = useState(false);
  const [withRevoked, setWithRevoked] = useState(false);
  const [revoking, setRevoking] = useState<ApiKeyState | null>(null);
  const keys = query.data?.keys ?? [];
  const revoked = keys.filter(({ state }) => state === 'revoked').length;
  const isShared = query.data?.shared === true;
  // In a fleet keys stay needed without one.
  const isLast = !isShared && keys.length - revoked === 1 && query.data?.required_because === 'keys';
  return (
    <Card
      title={t('keys.title')}
      note={query.data ? <Required required={query.data.required_because} /> : null}
      actions={
        <Button
          look="primary"
          disabled={!mayChange}
          title={mayChange ? undefined : t('viewerOnly')}
          onClick={() => setMaking(true)}
        >
          {t('keys.make')}
        </Button>
      }
      flush
    >
      {revocation.error ? (
        <Notice tone="bad" title={words(revocation.error).title} className="m-4">
          {words(revocation.error).detail}
        </Notice>
      ) : null}
      <PollState query={query} loading={<Skeleton className="m-4 h-32" />}>
        {({ required }) =>
          keys.length > revoked || (withRevoked && revoked > 0) ? (
            <KeyTable
              keys={keys.filter(({ state }) => withRevoked || state !== 'revoked')}
              onRevoke={mayChange ? setRevoking : null}
            />
          ) : (
            <Empty title={t('keys.none')}>{t(required ? 'keys.noneClosed' : 'keys.noneOpen')}</Empty>
          )
        }
      </PollState>
      {isShared ? <SharedKeysNote /> : null}
      {revoked === 0 ? null : (
        <div className="border-line border-t px-4 py-2">
          <Button look="quiet" aria-expanded={withRevoked} onClick={() => setWithRevoked(!withRevoked)}>
            {withRevoked ? t('keys.hideRevoked') : t('keys.showRevoked', { n: revoked })}
          </Button>
        </div>
      )}
      {isMaking ? <NewKey onClose={() => setMaking(false)} /> : null}
      <Confirm
        open={revoking !== null}
        onOpenChange={(open) => setRevoking(open ? revoking : null)}
        title={t('keys.revokeTitle', { name: revoking?.name ?? '' })}
        description={
          <>
            <p>{t('keys.revokeWhy')}</p>
            {isLast ? <p className="mt-2">{t('keys.revokeLast')}</p> : null}
          </>
        }
        confirm={t('keys.revoke')}
        onConfirm={() => revoking && revocation.mutate(revoking.id)}
      />
    </Card>
  );
}

function Required({ required }: { readonly required: KeyList['required_because'] }) {
  const t = useTranslations('access.keys');
  switch (required) {
    case 'address':
      return t('requiredAddress');
    case 'setting':
      return t('requiredSetting');
    case 'keys':
      return t('requiredKeys');
    case null:
      return t('notRequired');
  }
}
