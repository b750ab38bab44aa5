import { Download } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '#components/ui/button.tsx';
import { type Cell, toCsv } from './csv.ts';
import { download } from './download.ts';

type Props = {
  readonly file: string;
  /** Of machines and spreadsheets: the same in every language. */
  readonly header: readonly string[];
  readonly rows: () => readonly (readonly Cell[])[];
};

/** Numbers of the page as a file. */
export function CsvButton({ file, header, rows }: Props) {
  const t = useTranslations('charts');
  return (
    <Button onClick={() => download(file, toCsv(header, rows()), 'text/csv')}>
      <Download aria-hidden="true" className="size-4" />
      {t('downloadCsv')}
    </Button>
  );
}
