'use client';

import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { Card } from '#components/ui/card.tsx';
import { Fact, FactList } from '#components/ui/fact-list.tsx';
import type { SettingsState } from '#lib/contract/settings.ts';

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
      <FactList>
        <Fact name={t('version')}>{`LM Warden ${settings.version}`}</Fact>
        <Fact name={t('node')}>{settings.node_version}</Fact>
        <Fact name={t('since')}>{format.dateTime(Date.parse(settings.started_at))}</Fact>
        <Fact name={t('dataDir')}>{code(settings.data_dir)}</Fact>
        <Fact name={t('configFile')}>{settings.config_file === null ? t('noFile') : code(settings.config_file)}</Fact>
        <Fact name={t('license')}>{t('licenseText', { file: 'LICENSE', libraries: 'docs/licences.md' })}</Fact>
        <Fact name={t('docs')}>
          {t('docsWhere')}
          {DOCUMENTS.map((file) => (
            <span key={file} className="block">
              {code(file)}
            </span>
          ))}
        </Fact>
      </FactList>
    </Card>
  );
}
