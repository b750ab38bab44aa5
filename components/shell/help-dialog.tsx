'use client';

import { Dialog } from '#components/ui/dialog.tsx';
import { PAGES } from './pages.ts';

type Props = { readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

/** The keyboard shortcuts. */
export function HelpDialog({ open, onOpenChange }: Props) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <dl className="divide-y divide-line">
        {PAGES.map((page) => (
          <Shortcut key={page.key} keys={['g', page.key]} what={`Go to ${page.title}`} />
        ))}
        <Shortcut keys={['Space']} what="Pause and resume updates" />
        <Shortcut keys={['?']} what="Show this list" />
        <Shortcut keys={['Esc']} what="Close, cancel an edit" />
      </dl>
    </Dialog>
  );
}

function Shortcut({ keys, what }: { readonly keys: readonly string[]; readonly what: string }) {
  return (
    <div className="flex items-center justify-between py-2">
      <dt>{what}</dt>
      <dd className="flex gap-1">
        {keys.map((key) => (
          <kbd
            key={key}
            className="min-w-6 rounded border border-line-strong bg-subtle px-1.5 text-center font-mono text-muted text-xs leading-6"
          >
            {key}
          </kbd>
        ))}
      </dd>
    </div>
  );
}
