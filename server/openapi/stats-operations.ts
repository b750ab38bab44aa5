import { clientList, decisionKind, eventList, requestList, requestOrder } from '#lib/contract/activity.ts';
import { alertList } from '#lib/contract/alerts.ts';
import {
  admissionSeries,
  decisionSeries,
  errorSeries,
  latencySeries,
  rangeName,
  replicaSeries,
  tokenSeries,
} from '#lib/contract/series.ts';
import { databaseState, settingsPatch, settingsState } from '#lib/contract/settings.ts';
import { type Operation, type Parameter, parameter } from './operation.ts';

const MODEL = parameter.text('model', 'Of this model only; without it, of all.');
const LIMIT = parameter.whole('limit', 'At most so many; 100, and no more than 1000.');
const WINDOW = parameter.oneOf('window', 'The stretch of time that ends now; 1h.', rangeName.options);
const FROM = parameter.time('from', 'In place of window: the beginning.');
const TO = parameter.time('to', 'In place of window: the end.');
const PERIOD = parameter.oneOf('period', 'The stretch asked for, or the one before it; current.', [
  'current',
  'previous',
]);
const SERIES: readonly Parameter[] = [MODEL, WINDOW, FROM, TO, PERIOD];

/** What happened: series, requests, events, alerts; and the settings. */
export const statsOperations: Readonly<Record<string, Operation>> = {
  'GET /api/stats/tokens': {
    tag: 'stats',
    summary: 'Prompt tokens cached and computed, completion tokens.',
    query: SERIES,
    answer: tokenSeries,
  },
  'GET /api/stats/latency': {
    tag: 'stats',
    summary: 'Time to first byte and whole-request time.',
    query: SERIES,
    answer: latencySeries,
  },
  'GET /api/stats/admission': {
    tag: 'stats',
    summary: 'Turns held by cache-fit admission.',
    query: SERIES,
    answer: admissionSeries,
  },
  'GET /api/stats/decisions': { tag: 'stats', summary: 'Routing decisions.', query: SERIES, answer: decisionSeries },
  'GET /api/stats/errors': {
    tag: 'stats',
    summary: 'Requests that did not end well, by kind.',
    query: SERIES,
    answer: errorSeries,
  },
  'GET /api/stats/replicas': {
    tag: 'stats',
    summary: "The engine's readings of each replica over time.",
    query: SERIES,
    answer: replicaSeries,
  },
  'GET /api/requests': {
    tag: 'activity',
    summary: 'Finished requests with the reason for each decision. Never a prompt, never a header.',
    query: [
      MODEL,
      LIMIT,
      parameter.oneOf('window', 'Finished within this stretch of time.', rangeName.options),
      parameter.oneOf('decision', 'With this decision.', decisionKind.options),
      parameter.text('status', 'That ended so (ok, client_left, failed), or with this HTTP status.'),
      parameter.text('replica', 'Served by this replica; "engine" where the engine chose.'),
      parameter.text('client', 'Of this client.'),
      parameter.text('session', 'Of this conversation.'),
      parameter.oneOf('order', 'newest first where not given.', requestOrder.options),
      parameter.text('before', 'The next page: `next` of the page before.'),
    ],
    answer: requestList,
  },
  'GET /api/requests/clients': { tag: 'activity', summary: 'The clients that sent requests.', answer: clientList },
  'GET /api/events': {
    tag: 'activity',
    summary: 'Changes of settings, engines up, down and restarted, alerts.',
    query: [MODEL, LIMIT, WINDOW, FROM, TO],
    answer: eventList,
  },
  'GET /api/alerts': {
    tag: 'activity',
    summary: 'What is wrong now, and what was since the start.',
    answer: alertList,
  },
  'GET /api/settings': {
    tag: 'settings',
    summary: 'What the process runs with, and where each value comes from.',
    answer: settingsState,
  },
  'PATCH /api/settings': {
    tag: 'settings',
    summary: 'Sets how long things are kept.',
    body: settingsPatch,
    answer: settingsState,
  },
  'GET /api/settings/database': {
    tag: 'settings',
    summary: 'How large the database and its tables are.',
    answer: databaseState,
  },
};
