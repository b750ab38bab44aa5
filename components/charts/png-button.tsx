import { Download } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '#components/ui/button.tsx';
import { downloadBlob } from './download.ts';
import type { FigureWords } from './figure-head.ts';

type Props = FigureWords & {
  /** The element with the chart or charts. */
  readonly figure: RefObject<Element | null>;
  readonly file: string;
};

/** A figure as a file; says so where it cannot be drawn. */
export function PngButton({ figure, file, title, note, legend }: Props) {
  const t = useTranslations('charts');
  const [failed, setFailed] = useState(false);
  const save = async () => {
    if (figure.current === null) return;
    try {
      // Loaded by the few who save a picture.
      const { figurePng } = await import('./figure-png.ts');
      downloadBlob(file, await figurePng(figure.current, { title, note, legend }));
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return (
    <span className="-mr-2 inline-flex items-center max-sm:-ml-3">
      <span role="status" className="text-bad text-xs">
        {failed ? t('notDrawn') : ''}
      </span>
      <Button look="quiet" aria-label={t('downloadPng', { title })} onClick={() => void save()}>
        <Download aria-hidden="true" className="size-4" />
        PNG
      </Button>
    </span>
  );
}
