import { useMemo, useState } from 'react';
import { Segmented } from '#components/ui/segmented.tsx';
import type { BenchmarkReport } from '#lib/contract/benchmark.ts';
import { formatSeconds, formatSecondsTick } from '#lib/format/duration.ts';
import { PolicyChart } from './charts.ts';
import { Figure } from './figure.tsx';
import { OWN_SERIES } from './own-series.ts';
import { distributionPoints } from './series.ts';
import { sessionWords } from './words.ts';

const PERCENT_TICKS = [10, 25, 50, 75, 90, 95];

type Props = { readonly report: BenchmarkReport; readonly id: number; readonly hidden: ReadonlySet<string> };

/** The whole distribution of waits at one number of sessions, affinity off and on. */
export function Distribution({ report, id, hidden }: Props) {
  const { cells } = report;
  const steps = [...new Set(cells.map(({ sessions }) => sessions))].sort((a, b) => a - b);
  const [chosen, setChosen] = useState<string | null>(null);
  const step = steps.find((sessions) => String(sessions) === chosen) ?? steps[0];
  const points = useMemo(() => {
    const waits = (policy: string) =>
      cells
        .filter((cell) => cell.policy === policy && cell.sessions === step)
        .flatMap((cell) => cell.ttfb_seconds)
        .sort((a, b) => a - b);
    return distributionPoints(waits('off'), waits('affinity'));
  }, [cells, step]);
  if (step === undefined) return null;
  return (
    <div className="border-line border-t p-4">
      <Figure
        title={`All times to first byte, ${sessionWords(step)}`}
        note="the share of turns that waited no longer; logarithmic axis"
        report={report}
        id={id}
        cardNote={null}
        legend={OWN_SERIES.filter(({ key }) => !hidden.has(key))}
        action={
          steps.length < 2 ? null : (
            <Segmented
              label="Sessions at once"
              value={String(step)}
              options={steps.map((sessions) => ({
                value: String(sessions),
                label: String(sessions),
                name: sessionWords(sessions),
              }))}
              onChange={setChosen}
            />
          )
        }
      >
        <PolicyChart
          points={points}
          series={OWN_SERIES}
          hidden={hidden}
          scale={{ kind: 'log' }}
          format={formatSeconds}
          tick={formatSecondsTick}
          place={(percent) => `${percent}% of the turns`}
          placeTick={(percent) => `${percent}%`}
          placeTicks={PERCENT_TICKS}
          sentence={`Distribution of the times to first byte at ${sessionWords(step)}, affinity off and on.`}
        />
      </Figure>
    </div>
  );
}
