import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Notice } from '#components/ui/notice.tsx';

type Props = { readonly name: string; readonly secret: string; readonly onClose: () => void };

/** The key itself, for the one time that it is shown. */
export function MadeKey({ name, secret, onClose }: Props) {
  const t = useTranslations('access.newKey');
  const [origin, setOrigin] = useState('');
  useEffect(() => setOrigin(location.origin), []);
  const use = `export ANTHROPIC_BASE_URL=${origin}\nexport ANTHROPIC_AUTH_TOKEN=${secret}`;
  return (
    <div className="space-y-4">
      <Notice tone="warn" title={t('madeWhy')} />
      <CodeBlock title={name} code={secret} />
      <CodeBlock title={t('use')} code={use} />
      <div className="flex justify-end">
        <Button look="primary" onClick={onClose}>
          {t('done')}
        </Button>
      </div>
    </div>
  );
}
