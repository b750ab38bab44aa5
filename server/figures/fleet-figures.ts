import type { Logger } from 'pino';
import {
  FIGURES_WINDOW_SECONDS,
  type FiguresProblem,
  type FleetFigures,
  type OwnFigures,
  type ReadFigures,
  type WardenFigures,
} from '#lib/contract/fleet.ts';
import { sumFigures } from '#lib/fleet/sum-figures.ts';
import type { Access } from '#server/access/access.ts';
import type { Fleet, MemberInfo } from '#server/fleet/fleet.ts';
import type { AllowedHosts } from '#server/network/guarded-connect.ts';
import { type Asked, createMemberAsker, type MemberAsker } from './ask-member.ts';
import { keptBriefly } from './kept-briefly.ts';

/** What the wardens of a fleet took lately. */
export type FleetFigureSource = {
  /** Of this one; rejects where the database cannot be read. */
  own(): Promise<OwnFigures>;
  /** Of all, each asked over its API where the last answer is older than some seconds. */
  read(): Promise<FleetFigures>;
  close(): Promise<void>;
};

export type FleetFigureOptions = {
  readonly wardens: Fleet;
  readonly access: Pick<Access, 'mode' | 'fellows'>;
  readonly own: () => Promise<OwnFigures>;
  readonly allowedHosts: AllowedHosts;
  readonly steadyNow: () => number;
  readonly log: Logger;
};

/** So many browsers as like may look: each member is asked once in this time. */
const KEPT_MS = 4_000;
/** The shared memory may name as many as it likes. */
const MOST_ASKED = 128;

export function createFleetFigures(options: FleetFigureOptions): FleetFigureSource {
  const { wardens, own, steadyNow, allowedHosts } = options;
  const asker = createMemberAsker(allowedHosts);
  const read = async (): Promise<FleetFigures> => {
    const members = wardens.members();
    const asked = await Promise.all(
      members.map(async (member, index) => ({
        member,
        answer: member.id === wardens.id ? await readOwn(options) : await askOther(options, asker, member, index),
      })),
    );
    return {
      shared: true,
      window_seconds: FIGURES_WINDOW_SECONDS,
      wardens: asked.map(({ member, answer }) => shown(member, answer, wardens.id)),
      together: together(asked.flatMap(({ answer }) => answer.figures ?? [])),
    };
  };
  return { own, read: keptBriefly(KEPT_MS, steadyNow, read), close: () => asker.close() };
}

async function readOwn({ own, log }: FleetFigureOptions): Promise<Asked> {
  try {
    return { figures: await own(), problem: null };
  } catch (error) {
    log.warn({ err: error }, "this warden's own figures could not be read");
    return failure('failed', 'The database of this warden could not be read; its log says why.');
  }
}

async function askOther(
  { access }: FleetFigureOptions,
  asker: MemberAsker,
  { id, api_url }: MemberInfo,
  index: number,
): Promise<Asked> {
  if (index >= MOST_ASKED) return notAsked;
  if (api_url === undefined) return failure('older', 'It is of a version that does not tell.');
  const { fellows } = access;
  if (fellows === null && access.mode() !== 'open') {
    return failure(
      'needs_secret',
      'The wardens need WARDEN_SHARED_SECRET, the same at all, to be let in to each other.',
    );
  }
  const answer = await asker.ask(api_url, fellows?.prove(api_url) ?? null);
  if (answer.figures === null || answer.figures.warden === id) return answer;
  const message = `Another warden answers at ${api_url}: set WARDEN_ADVERTISE_URL or WARDEN_MEMBER_URL of each to where it is.`;
  return failure('another', message);
}

const failure = (code: FiguresProblem['code'], message: string): Asked => ({
  figures: null,
  problem: { code, status: null, message },
});

const notAsked = failure('not_asked', `No more than ${MOST_ASKED} wardens are asked.`);

function shown({ id, url }: MemberInfo, { figures, problem }: Asked, self: string): WardenFigures {
  return { id, url, self: id === self, figures: figures === null ? null : readable(figures), problem };
}

/** Without what only sums need. */
function readable({ alerts_firing, all, models }: OwnFigures): ReadFigures {
  const { ttfb_histogram: _counts, ...figures } = all;
  return {
    alerts_firing,
    all: figures,
    models: models.map(({ ttfb_histogram: _own, ...model }) => model),
  };
}

function together(all: readonly OwnFigures[]): FleetFigures['together'] {
  return all.length === 0 ? null : { ...sumFigures(all), wardens: all.length };
}
