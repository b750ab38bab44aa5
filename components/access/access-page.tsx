'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useIsWaiting } from '#components/data/failure.ts';
import { useSession } from '#components/data/session.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Loading } from '#components/ui/loading.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { AuditCard } from './audit-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { OwnPassword } from './own-password.tsx';
import { PeopleCard } from './people-card.tsx';
import { ProtectDialog } from './protect-dialog.tsx';
import { useKeys } from './queries.ts';
import { UsageCard } from './usage-card.tsx';

/** Who may enter: keys for clients, people for the console, and what they changed. */
export function AccessPage() {
  const query = useSession();
  const session = query.data;
  const isAdmin = session?.role === 'admin';
  // The keys' card says in its head whether keys are needed: it comes whole, or the page below it would be pushed.
  const keys = useKeys('24h');
  const waitsForSession = useIsWaiting(query);
  const waitsForKeys = useIsWaiting(keys);
  if (waitsForSession || waitsForKeys) {
    return (
      <Loading>
        <Skeleton className="h-56" />
      </Loading>
    );
  }
  return (
    <div className="space-y-5">
      {session?.mode === 'open' ? <Unprotected /> : null}
      <KeysCard />
      <UsageCard />
      {session?.mode === 'password' ? (
        <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,3fr)_minmax(0,1fr)]">
          {isAdmin ? <PeopleCard ownName={session.name} /> : null}
          <OwnPassword isFixed={session.password_is_fixed} />
        </div>
      ) : null}
      {isAdmin ? <AuditCard /> : null}
    </div>
  );
}

function Unprotected() {
  const t = useTranslations('access.mode');
  const [isAsked, setAsked] = useState(false);
  return (
    <Card title={t('open')} actions={<Button onClick={() => setAsked(true)}>{t('protect')}</Button>}>
      <p className="max-w-prose text-muted">{t('openWhy')}</p>
      <ProtectDialog open={isAsked} onOpenChange={setAsked} />
    </Card>
  );
}
