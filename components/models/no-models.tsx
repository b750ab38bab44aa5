import { useTranslations } from 'use-intl';
import { useFailureWords } from '#components/data/failure-words.ts';
import { useSimulatedReturn } from '#components/data/managed-models.ts';
import { useStatus } from '#components/data/queries.ts';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { ForAdmins } from '#components/ui/for-admins.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { AddModel } from './add-model.tsx';

/** Nothing is configured: what to write, and where. */
export function NoModels() {
  const t = useTranslations('models.empty');
  const shell = 'WARDEN_UPSTREAM=http://gpu-box:8000 npm start';
  const config = `models:
  - name: qwen3-4b-dp4
    aliases: ["claude-*"]
    replicas:
      - url: http://127.0.0.1:8000   # ${t('comment')}
        ranks: auto`;
  return (
    <section aria-labelledby="no-models" className="mx-auto max-w-2xl rounded-lg border border-line px-5 py-6">
      <h2 id="no-models" className="font-semibold text-base">
        {t('title')}
      </h2>
      <p className="mt-1 mb-4 text-muted">{t('about')}</p>
      <ForAdmins>
        <div className="flex flex-wrap gap-2">
          <AddModel invites />
          <BringBack />
        </div>
      </ForAdmins>
      <p className="mt-5 mb-3 text-muted">{t('file')}</p>
      <CodeBlock title={t('fileName')} code={config} />
      <p className="mt-5 mb-3 text-muted">{t('environment')}</p>
      <CodeBlock title={t('shell')} code={shell} />
    </section>
  );
}

/** Where the simulated fleet was removed. */
function BringBack() {
  const t = useTranslations('models.empty');
  const { data } = useStatus();
  const words = useFailureWords();
  const simulated = useSimulatedReturn();
  if (data?.simulated_removed !== true) return null;
  return (
    <>
      <Button disabled={simulated.isPending} onClick={() => simulated.mutate()}>
        {t('demo')}
      </Button>
      {simulated.error === null ? null : (
        <Notice tone="bad" title={words(simulated.error).title} className="basis-full">
          {words(simulated.error).detail}
        </Notice>
      )}
    </>
  );
}
