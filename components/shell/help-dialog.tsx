'use client';

import { useTranslations } from 'use-intl';
import { Dialog } from '#components/ui/dialog.tsx';
import { PAGES } from './pages.ts';

type Props = { readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

/** The keyboard shortcuts. */
export function HelpDialog({ open, onOpenChange }: Props) {
  const t = useTranslations('shell');
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('keyboardShortcuts')}>
      <dl className="divide-y divide-line">
        {PAGES.map((page) => (
          <Shortcut key={page.key} keys={['g', page.key]} what={t('shortcuts.goTo', { page: t(`pages.${page.id}`) })} />
        ))}
        <Shortcut keys={[t('shortcuts.space')]} what={t('shortcuts.pause')} />
        <Shortcut keys={['/']} what={t('shortcuts.search')} />
        <Shortcut keys={['j', 'k']} what={t('shortcuts.rows')} />
        <Shortcut keys={[t('shortcuts.enter')]} what={t('shortcuts.open')} />
        <Shortcut keys={['[', ']']} what={t('shortcuts.range')} />
        <Shortcut keys={['?']} what={t('shortcuts.list')} />
        <Shortcut keys={[t('shortcuts.escape')]} what={t('shortcuts.close')} />
      </dl>
    </Dialog>
  );
}

function Shortcut({ keys, what }: { readonly keys: readonly string[]; readonly what: string }) {
  return (
    <div className="flex items-center justify-between py-1">
      <dt>{what}</dt>
      <dd className="flex gap-1">
        {keys.map((key) => (
          <kbd
            key={key}
            className="min-w-6 rounded border border-line-strong bg-subtle px-1.5 text-center font-mono text-muted text-xs leading-5"
          >
            {key}
          </kbd>
        ))}
      </dd>
    </div>
  );
}
