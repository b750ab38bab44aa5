import { useTranslations } from 'use-intl';
import { CsvButton } from '#components/charts/csv-button.tsx';
import { fileName } from '#components/charts/file-name.ts';
import { useFormat } from '#components/language/use-format.ts';
import { finishedAt } from '#components/requests/finished-at.ts';
import { Age } from '#components/ui/age.tsx';
import { DECISIONS } from '#components/ui/decision.tsx';
import { Reported } from '#components/ui/reported.tsx';
import { type Column, Table } from '#components/ui/table.tsx';
import type { RequestEntry } from '#lib/contract/activity.ts';
import { type TurnPlace, turnPlace } from './turn-place.ts';
import { TURN_HEADER, turnRow } from './turn-row.ts';
import { useTurnName } from './use-turn-name.ts';

type Props = {
  /** The key of the conversation. */
  readonly session: string;
  readonly turns: readonly RequestEntry[];
  readonly hasMore: boolean;
};
type Row = { readonly turn: RequestEntry; readonly place: TurnPlace };

/** The numbers behind the strip, newest first. */
export function TurnTable({ session, turns, hasMore }: Props) {
  const t = useTranslations('sessions.panel');
  const words = useTranslations('requests');
  const format = useFormat();
  const { short } = useTurnName();
  const rows = turns.map((turn, index): Row => ({ turn, place: turnPlace(index, turns.length, hasMore) })).toReversed();
  const tokens = (header: string, of: (turn: RequestEntry) => number | null): Column<Row> => ({
    header,
    unit: words('table.tokens'),
    align: 'end',
    cell: ({ turn }) => <Reported value={of(turn)} format={format.exact} />,
  });
  const columns: [Column<Row>, ...Column<Row>[]] = [
    { header: t('columns.turn'), cell: ({ place }) => short(place) },
    { header: words('table.finished'), cell: ({ turn }) => <Age time={finishedAt(turn)} /> },
    { header: t('replicas'), align: 'end', cell: ({ turn }) => turn.replica ?? t('engine') },
    { header: words('table.decision'), cell: ({ turn }) => DECISIONS[turn.decision].word },
    tokens(t('columns.cached'), ({ cached_tokens }) => cached_tokens),
    tokens(t('columns.computed'), ({ prompt_tokens, cached_tokens }) =>
      prompt_tokens === null || cached_tokens === null ? null : prompt_tokens - cached_tokens,
    ),
    {
      header: words('table.firstByte'),
      align: 'end',
      cell: ({ turn }) => <Reported value={turn.ttfb_seconds} format={format.seconds} why={words('table.noByte')} />,
    },
  ];
  return (
    <div className="-mx-4 mt-3 border-line border-y">
      <div className="flex justify-end px-4 py-2">
        <CsvButton file={`${fileName('session', session)}.csv`} header={TURN_HEADER} rows={() => turns.map(turnRow)} />
      </div>
      <Table caption={t('turns')} columns={columns} rows={rows} rowKey={({ turn }) => turn.id} stack={false} tall />
    </div>
  );
}
