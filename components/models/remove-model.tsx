import { useRouter } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { useFailureWords } from '#components/data/failure-words.ts';
import { useModelRemoval } from '#components/data/managed-models.ts';
import { useRouting } from '#components/data/queries.ts';
import { Confirm } from '#components/ui/confirm.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { ModelConfiguration } from '#lib/contract/managed-models.ts';

type Props = {
  readonly model: ModelConfiguration;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
};

/** Asks before a model is removed, says what becomes of its requests, and leads back to the overview. */
export function RemoveModel({ model, open, onOpenChange }: Props) {
  const t = useTranslations('models.configuration');
  const words = useFailureWords();
  const router = useRouter();
  const removal = useModelRemoval(model.name, () => router.push('/'));
  const inFlight = useRouting(model.name).data?.totals.in_flight ?? 0;
  return (
    <>
      <Confirm
        open={open}
        onOpenChange={onOpenChange}
        title={t('removeTitle', { name: model.name })}
        description={
          <>
            <p>{t('removeAbout', { inFlight })}</p>
            {model.origin === 'simulated' ? <p className="mt-2">{t('removeSimulated')}</p> : null}
          </>
        }
        confirm={t('remove')}
        onConfirm={() => removal.mutate()}
      />
      {removal.error === null ? null : (
        <Notice tone="bad" title={words(removal.error).title} className="mt-4">
          {words(removal.error).detail}
        </Notice>
      )}
    </>
  );
}
