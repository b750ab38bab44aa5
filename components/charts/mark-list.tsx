import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import { useMarkWords } from './mark-words.ts';
import type { Mark } from './marks.ts';

const SHOWN = 6;

type Props = {
  readonly marks: readonly Mark[];
  /** Where a clock time comes more than once in the charts. */
  readonly withDay: boolean;
};

/** What the dashed lines of the charts stand for, newest first. */
export function MarkList({ marks, withDay }: Props) {
  const t = useTranslations('charts');
  const format = useFormat();
  const words = useMarkWords();
  if (marks.length === 0) return <p className="px-1 text-faint text-xs">{t('noChanges')}</p>;
  const when = (time: number) => (withDay ? `${format.day(time)}, ${format.clock(time)}` : format.clock(time));
  return (
    <ul aria-label={t('changes')} className="flex flex-wrap gap-x-4 gap-y-0.5 px-1 text-muted text-xs tabular-nums">
      {marks.slice(0, SHOWN).map((mark) => (
        <li key={mark.time} className="flex items-center gap-1.5">
          <span aria-hidden="true" className="h-3 border-muted border-l border-dashed" />
          {when(mark.at)} {[...new Set(words(mark))].join(', ')}
        </li>
      ))}
      {marks.length > SHOWN ? <li>{t('earlier', { count: format.exact(marks.length - SHOWN) })}</li> : null}
    </ul>
  );
}
