'use client';

import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { Card } from '#components/ui/card.tsx';
import type { SettingsState } from '#lib/contract/settings.ts';
import { Facts } from './facts.tsx';

/** Where to read on, in the folder that the program runs from. */
const DOCUMENTS = [
  'README.md',
  'docs/configuration.md',
  'docs/routing.md',
  'docs/cache-fit.md',
  'docs/statistics.md',
  'CHANGELOG.md',
];

/** What is running, since when, from where, and under which terms. */
export function AboutCard({ settings }: { readonly settings: SettingsState }) {
  const t = useTranslations('settings.about');
  const format = useFormat();
  const code = (text: string) => <code className="break-all font-mono text-xs">{text}</code>;
  return (
    <Card title={t('title')}>
      <Facts
        facts={[
          { name: t('version'), value: `LM Warden ${settings.version}` },
          { name: t('node'), value: settings.node_version },
          { name: t('since'), value: format.dateTime(Date.parse(settings.started_at)) },
          { name: t('dataDir'), value: code(settings.data_dir) },
          { name: t('configFile'), value: settings.config_file === null ? t('noFile') : code(settings.config_file) },
          { name: t('license'), value: t('licenseText', { file: 'LICENSE', libraries: 'docs/licences.md' }) },
          {
            name: t('docs'),
            value: (
              <>
                {t('docsWhere')}
                {DOCUMENTS.map((file) => (
                  <span key={file} className="block">
                    {code(file)}
                  </span>
                ))}
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}
