import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { IconButton } from './icon-button.tsx';

type Props = {
  /** The first page is 0. */
  readonly page: number;
  readonly pageSize: number;
  readonly rows: number;
  readonly onPage: (page: number) => void;
};

/** Which rows of a long table are on screen, and the buttons to those before and after. */
export function Pager({ page, pageSize, rows, onPage }: Props) {
  const t = useTranslations('ui.pager');
  const format = useFormat();
  const first = page * pageSize;
  const last = Math.min(rows, first + pageSize);
  return (
    <nav aria-label={t('label')} className="flex items-center justify-end gap-2 border-line border-t px-4 py-2">
      <p className="text-muted tabular-nums">
        {t('shown', { first: format.exact(first + 1), last: format.exact(last), all: format.exact(rows) })}
      </p>
      <IconButton label={t('before')} disabled={page === 0} onClick={() => onPage(page - 1)}>
        <ChevronLeft aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label={t('after')} disabled={last >= rows} onClick={() => onPage(page + 1)}>
        <ChevronRight aria-hidden="true" className="size-4" />
      </IconButton>
    </nav>
  );
}
