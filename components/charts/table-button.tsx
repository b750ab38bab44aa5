import { Table2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '#components/ui/button.tsx';

type Props = {
  /** Of the chart. */
  readonly title: string;
  readonly open: boolean;
  readonly onToggle: () => void;
};

/** Opens and closes the table behind a chart. */
export function TableButton({ title, open, onToggle }: Props) {
  const t = useTranslations('charts');
  const word = open ? t('hideTable') : t('showTable');
  return (
    <Button
      look="quiet"
      aria-expanded={open}
      aria-label={`${word}: ${title}`}
      onClick={onToggle}
      className="-mr-2 max-sm:-ml-3"
    >
      <Table2 aria-hidden="true" className="size-4" />
      {word}
    </Button>
  );
}
