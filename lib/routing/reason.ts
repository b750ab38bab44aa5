/** Why a request went where it went: a code with its values, which any language can say. */
export type Reason = { readonly code: ReasonCode; readonly values: ReasonValues };
export type ReasonValues = Readonly<Record<string, string | number>>;
export type ReasonCode = keyof typeof SENTENCES;

type Values = {
  /** The value under a name, as text; a sentence that asks for a value that is not there shows a gap, not an error. */
  readonly text: (name: string) => string;
  readonly is: (name: string, value: string) => boolean;
};

/** The home and how busy it is, which begins every sentence about a home that is up. */
const home = ({ text }: Values): string =>
  `home ${text('home')} has ${text('in_flight')} in flight, threshold ${text('threshold')}`;
const load = ({ text }: Values): string =>
  `${text('in_flight')} in flight, ${text('live')} live ${text('live') === '1' ? 'session' : 'sessions'}`;
const choice = (values: Values): string =>
  `replica ${values.text('replica')} ${values.is('warm', 'yes') ? 'already holds part of it' : 'has the least load'}`;

const SENTENCES = {
  asked_for: ({ text }: Values) => `the client asked for replica ${text('replica')}`,
  unreachable: ({ text }: Values) =>
    `replica ${text('unreachable')} could not be reached; sent to replica ${text('replica')} instead`,
  beside_relative: ({ text }: Values) =>
    `no home known; replica ${text('replica')} holds the one whose beginning it shares`,
  agreed: ({ text }: Values) => `no home known; replica ${text('replica')} by its hash, as the shared memory is away`,
  least_load: (values: Values) =>
    `no home known; replica ${values.text('replica')} has the least load (${load(values)})`,
  home_drains: (values: Values) =>
    `home ${values.text('home')} is draining; replica ${values.text('replica')} ${
      values.is('warm', 'yes') ? 'already holds part of it' : `has the least load (${load(values)})`
    } and is its home now`,
  at_home: home,
  none_freer: (values: Values) => `${home(values)}, but no other replica has fewer`,
  home_busy: (values: Values) => `${home(values)}; ${choice(values)}`,
  home_moves: (values: Values) =>
    `${home(values)}; ${choice(values)} and, after ${values.text('spills')} spills in a row, is its home now`,
  room_for_new: ({ text }: Values) => `no home known; replica ${text('replica')} has room for it in its cache`,
  room_elsewhere: ({ text }: Values) =>
    `its place on replica ${text('home')} had gone to others; replica ${text('replica')} has room and is its home now`,
  gave_way: ({ text }: Values) =>
    `it gave up its place on replica ${text('home')} to others; replica ${text('replica')} has room and is its home now`,
  place_kept: (values: Values) => `${home(values)}, but its place in the cache is kept there`,
  stands_in_again: ({ text }: Values) => `home ${text('home')} is down; replica ${text('replica')} stands in as before`,
  stands_in: ({ text }: Values) =>
    `home ${text('home')} is down; replica ${text('replica')} has the least load and stands in`,
  no_key: ({ text }: Values) => `no session key: replica ${text('replica')} has the least load`,
  side_request: ({ text }: Values) => `side request (${text('side')}): replica ${text('replica')} has the least load`,
  affinity_off: (values: Values) => `affinity is off: ${engineOrRule(values)}`,
  cannot_be_pinned: (values: Values) => `${values.text('why')}: ${engineOrRule(values)}`,
} as const satisfies Record<string, (values: Values) => string>;

export const REASON_CODES = Object.keys(SENTENCES);

/** Without a replica the engine's own balancer chooses; with one the router followed the engine's rule. */
function engineOrRule({ text }: Values): string {
  if (text('replica') === '') return 'the engine chooses';
  return `replica ${text('replica')} has the least waiting and running, by the engine's own rule`;
}

/** The reason as one sentence in English, for response headers, logs and whoever knows no code. */
export function reasonSentence({ code, values }: Reason): string {
  const text = (name: string): string => String(values[name] ?? '');
  return SENTENCES[code]({ text, is: (name, value) => text(name) === value });
}

/** The two fields of a decision that say why: the sentence, and what it is made of. */
export function because(code: ReasonCode, values: ReasonValues): { readonly reason: string; readonly why: Reason } {
  const why = { code, values };
  return { reason: reasonSentence(why), why };
}
