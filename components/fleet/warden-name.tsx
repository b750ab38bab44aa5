import { useTranslations } from 'use-intl';
import { Pill } from '#components/ui/pill.tsx';

/** A link to the warden's own console, which has its statistics. */
export function WardenName({ url, self }: { readonly url: string; readonly self: boolean }) {
  const t = useTranslations('fleet');
  // Whoever can write into the shared memory can write any text there.
  const isLink = !self && /^https?:\/\//i.test(url);
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      {isLink ? (
        <a href={url} className="underline underline-offset-2">
          {url}
        </a>
      ) : (
        <span>{url}</span>
      )}
      {self ? <Pill tone="ok">{t('thisOne')}</Pill> : null}
    </span>
  );
}
