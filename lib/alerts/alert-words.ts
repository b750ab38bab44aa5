import type { Alert, AlertCode } from './types.ts';

type Words = { readonly message: (alert: Alert) => string; readonly action: string };

const value = ({ values }: Alert, name: string): number => values[name] ?? 0;

/** English, for the webhook and the log; the console has its own words by code. */
const WORDS: Readonly<Record<AlertCode, Words>> = {
  engine_down: {
    message: (alert) =>
      value(alert, 'whole_model') === 1
        ? `No replica of ${alert.subject.model} is up: ${alert.subject.url} does not answer.`
        : `${alert.subject.url} (${alert.subject.model}) is down; other replicas carry its conversations.`,
    action: 'Look whether the engine runs, and at its log. Requests wait for it for a while, then get a 503.',
  },
  replica_stuck: {
    message: (alert) =>
      `Replica ${alert.subject.replica} of ${alert.subject.model} has ${value(alert, 'waiting')} requests waiting and has made no token for ${value(alert, 'seconds')} s.`,
    action:
      'Restart the engine. If there are other replicas, drain this one first, so that its conversations move over.',
  },
  disk_nearly_full: {
    message: (alert) => `The disk with the data folder has ${value(alert, 'free_mb')} MB left.`,
    action:
      'Free some space. With a full disk requests are served all the same; statistics wait in memory until there is room, the oldest give way when they are too many, and changed settings are refused.',
  },
  keys_failing: {
    message: (alert) => `${value(alert, 'refused')} requests in five minutes came without a valid key.`,
    action: 'See whether a key expired or was revoked and a client still uses it, or whether somebody is guessing.',
  },
  hit_share_collapsed: {
    message: (alert) =>
      `Only ${value(alert, 'percent')} % of the prompt tokens of ${alert.subject.model} came from the cache in the last ten minutes; ${value(alert, 'usual_percent')} % was usual.`,
    action:
      'Sessions tells why turns missed. Usual causes: more conversations than fit into the caches, an engine that restarted, a client that changes the beginning of its prompts.',
  },
  working_set_above_cache: {
    message: (alert) =>
      `The conversations on replica ${alert.subject.replica} of ${alert.subject.model} have ${value(alert, 'tokens')} tokens, its cache holds ${value(alert, 'capacity_tokens')}: they push each other out.`,
    action: 'Switch on cache-fit admission, run fewer sessions at once, or add a replica.',
  },
  engine_restarted: {
    message: (alert) => `The engine at ${alert.subject.url} (${alert.subject.model}) restarted: its caches are cold.`,
    action: 'If nobody restarted it, its log says why: most often it ran out of memory.',
  },
};

/** One sentence that says what is wrong. */
export function alertMessage(alert: Alert): string {
  return WORDS[alert.code].message(alert);
}

/** What a person can do about it. */
export function alertAction({ code }: Pick<Alert, 'code'>): string {
  return WORDS[code].action;
}
