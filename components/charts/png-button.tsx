import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '#components/ui/button.tsx';
import { downloadBlob } from './download.ts';

type Props = {
  /** Of what the picture is. */
  readonly title: string;
  readonly file: string;
  /** Its code is loaded by the few who save a picture; fails where it cannot be drawn. */
  readonly draw: () => Promise<Blob>;
};

/** A figure as a file; says so where it cannot be drawn. */
export function PngButton({ title, file, draw }: Props) {
  const t = useTranslations('charts');
  const [failed, setFailed] = useState(false);
  const save = async () => {
    try {
      downloadBlob(file, await draw());
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
