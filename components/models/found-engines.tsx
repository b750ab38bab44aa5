import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormat } from '#components/language/use-format.ts';
import type { ProbedUrl, ProbeResult } from '#lib/contract/managed-models.ts';
import { useProbeWords } from './probe-words.ts';

type Props = {
  readonly result: ProbeResult;
  /** What was asked is not what stands in the form any more. */
  readonly isStale: boolean;
  /** Said of models whose max_num_seqs stands in the form already. */
  readonly knowsMaxNumSeqs: boolean;
};

/** What answers at each address, and what a person should know before saving. */
export function FoundEngines({ result, isStale, knowsMaxNumSeqs }: Props) {
  const t = useTranslations('models.editor');
  const words = useProbeWords();
  const warnings = result.warnings.filter(({ code }) => !knowsMaxNumSeqs || code !== 'max_num_seqs_unknown');
  return (
    <section aria-label={t('found')} className="space-y-2.5">
      {isStale ? <p className="text-warn">{t('stale')}</p> : null}
      <ul className="divide-y divide-line rounded-md border border-line">
        {result.urls.map((found, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an address may be there twice, which is then said
          <li key={`${index} ${found.url}`} className="flex gap-2.5 px-3 py-2.5">
            <Mark isGood={found.engine !== null} />
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <p className="font-mono text-xs leading-5">{found.url}</p>
              <Found found={found} />
            </div>
          </li>
        ))}
      </ul>
      {warnings.length === 0 ? null : (
        <ul className="space-y-1.5">
          {warnings.map((warning) => (
            <li key={JSON.stringify(warning)} className="flex gap-2">
              <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
              <span className="min-w-0 [overflow-wrap:anywhere]">{words.warning(warning)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Found({ found }: { readonly found: ProbedUrl }) {
  const words = useProbeWords();
  const { engine, problem, generated } = found;
  return (
    <>
      {problem === null
        ? null
        : words.problem(problem).map((line, index) => (
            <p key={line} className={index === 0 ? 'font-medium' : 'text-muted text-xs'}>
              {line}
            </p>
          ))}
      {engine === null ? null : (
        <>
          <p className="font-medium">{engine.models.map(({ id }) => id).join(', ')}</p>
          <p className="text-muted text-xs">{words.engine(engine)}</p>
        </>
      )}
      {generated === null ? null : <Generated generated={generated} />}
    </>
  );
}

function Generated({ generated }: { readonly generated: NonNullable<ProbedUrl['generated']> }) {
  const t = useTranslations('models.editor');
  const format = useFormat();
  const { ok, status, seconds } = generated;
  if (ok) return <p className="text-ok">{t('tested', { time: format.seconds(seconds) })}</p>;
  const said = generated.said ?? '';
  return (
    <p className="text-bad">
      {status === null ? t('notTested', { said }) : t('notTestedStatus', { status: format.exact(status), said })}
    </p>
  );
}

function Mark({ isGood }: { readonly isGood: boolean }) {
  const Icon = isGood ? CircleCheck : CircleX;
  return (
    <Icon
      aria-hidden="true"
      className={isGood ? 'mt-0.5 size-4 shrink-0 text-ok' : 'mt-0.5 size-4 shrink-0 text-bad'}
    />
  );
}
