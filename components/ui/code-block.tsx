import { useTranslations } from 'use-intl';
import { CopyButton } from './copy-button.tsx';

type Props = { readonly code: string; readonly title: string };

/** A block of text to copy, under the name of the file or shell it belongs to. */
export function CodeBlock({ code, title }: Props) {
  const t = useTranslations('ui');
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-subtle">
      <figcaption className="flex items-center justify-between gap-2 border-line border-b py-0.5 pr-1 pl-3 text-muted text-xs">
        <span className="truncate font-mono">{title}</span>
        <CopyButton text={code} label={t('copyNamed', { title })} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto p-3 font-mono text-xs leading-5">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
