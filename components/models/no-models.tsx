import { useTranslations } from 'use-intl';
import { CodeBlock } from '#components/ui/code-block.tsx';

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
      <p className="mt-1 text-muted">{t('about')}</p>
      <p className="mt-5 mb-3 text-muted">{t('file')}</p>
      <CodeBlock title={t('fileName')} code={config} />
      <p className="mt-5 mb-3 text-muted">{t('environment')}</p>
      <CodeBlock title={t('shell')} code={shell} />
    </section>
  );
}
