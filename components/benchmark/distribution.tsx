import { useMemo, useState } from 'react';
import { fileName } from '#components/charts/file-name.ts';
import { TableButton } from '#components/charts/table-button.tsx';
import { Segmented } from '#components/ui/segmented.tsx';
import type { BenchmarkReport } from '#lib/contract/benchmark.ts';
import { PolicyChart } from './charts.ts';
import { Figure } from './figure.tsx';
import { ownSeries } from './own-series.ts';
import { PointTable } from './point-table.tsx';
import { distributionPoints } from './series.ts';
import { sessionWords, useWords } from './words.ts';

/** As far apart as their labels need on a phone. */
const PERCENT_TICKS = [10, 25, 50, 75, 95];

type Props = { readonly report: BenchmarkReport; readonly id: number; readonly hidden: ReadonlySet<string> };

/** The whole distribution of waits at one number of sessions, with each setting. */
export function Distribution({ report, id, hidden }: Props) {
  const words = useWords();
  const { t, format } = words;
  const { cells, rows } = report;
  const steps = [...new Set(cells.map(({ sessions }) => sessions))].sort((a, b) => a - b);
  const [chosen, setChosen] = useState<string | null>(null);
  const step = steps.find((sessions) => String(sessions) === chosen) ?? steps[0];
  const [withTable, setWithTable] = useState(false);
  const series = useMemo(() => ownSeries(rows, words), [rows, words]);
  const points = useMemo(() => {
    const waits = (policy: string) =>
      cells
        .filter((cell) => cell.policy === policy && cell.sessions === step)
        .flatMap((cell) => cell.ttfb_seconds)
        .sort((a, b) => a - b);
    return distributionPoints({ off: waits('off'), on: waits('affinity'), fit: waits('cache-fit') });
  }, [cells, step]);
  if (step === undefined) return null;
  const title = t('distribution.title', { sessions: sessionWords(step, words) });
  const percentWords = (percent: number) => t('ofTheTurns', { share: format.percent(percent, 0) });
  return (
    <div className="border-line border-t p-4">
      <Figure
        title={title}
        note={t('distribution.note')}
        report={report}
        id={id}
        cardNote={null}
        legend={series.filter(({ key }) => !hidden.has(key))}
        action={
          <>
            {steps.length < 2 ? null : (
              <Segmented
                label={t('sessionsAtOnce')}
                value={String(step)}
                options={steps.map((sessions) => ({
                  value: String(sessions),
                  label: format.exact(sessions),
                  name: sessionWords(sessions, words),
                }))}
                onChange={setChosen}
              />
            )}
            <TableButton title={title} open={withTable} onToggle={() => setWithTable(!withTable)} />
          </>
        }
      >
        <PolicyChart
          points={points}
          series={series}
          hidden={hidden}
          scale={LOG}
          format={format.seconds}
          tick={format.secondsTick}
          place={percentWords}
          placeTick={(percent) => format.percent(percent, 0)}
          placeTicks={PERCENT_TICKS}
          sentence={t('distribution.sentence', { sessions: sessionWords(step, words) })}
        />
      </Figure>
      {withTable ? (
        <div className="-mx-4 mt-3 -mb-4">
          <PointTable
            points={points}
            series={series}
            file={fileName('benchmark', String(id), 'ttfb', String(step))}
            title={title}
          />
        </div>
      ) : null}
    </div>
  );
}

const LOG = { kind: 'log' } as const;
