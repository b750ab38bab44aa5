import {
  apiKey,
  auditList,
  firstRunRequest,
  keyList,
  loginRequest,
  madeKey,
  newKey,
  newPerson,
  passwordRequest,
  peopleList,
  person,
  personPatch,
  sessionState,
} from '#lib/contract/access.ts';
import { rangeName } from '#lib/contract/series.ts';
import { type Operation, parameter } from './operation.ts';

/** People, their sessions, API keys, and the audit list. */
export const accessOperations: Readonly<Record<string, Operation>> = {
  'GET /api/session': {
    tag: 'access',
    summary: 'Who is asking, and whether a password is wanted.',
    answer: sessionState,
  },
  'POST /api/session': {
    tag: 'access',
    summary: 'Signs in; the session is a cookie.',
    body: loginRequest,
    answer: sessionState,
  },
  'DELETE /api/session': { tag: 'access', summary: 'Signs out.', answer: sessionState },
  'PATCH /api/session/password': {
    tag: 'access',
    summary: "Changes one's own password.",
    body: passwordRequest,
    answer: sessionState,
  },
  'POST /api/first-run': {
    tag: 'access',
    summary: 'Makes the first admin, with the token that was printed at the start.',
    body: firstRunRequest,
    answer: sessionState,
  },
  'GET /api/people': { tag: 'access', summary: 'Who may see the console.', answer: peopleList },
  'POST /api/people': { tag: 'access', summary: 'Adds a person.', body: newPerson, answer: person },
  'PATCH /api/people/{id}': {
    tag: 'access',
    summary: "Changes a person's role or password.",
    body: personPatch,
    answer: person,
  },
  'DELETE /api/people/{id}': { tag: 'access', summary: 'Removes a person and ends their sessions.', answer: person },
  'GET /api/keys': {
    tag: 'access',
    summary: 'The API keys for /v1, without their secrets, and what each used.',
    query: [
      parameter.oneOf('window', 'For the usage; 24h.', rangeName.options),
      parameter.time('from', 'In place of window: the beginning.'),
      parameter.time('to', 'In place of window: the end.'),
    ],
    answer: keyList,
  },
  'POST /api/keys': {
    tag: 'access',
    summary: 'Makes a key; its secret is in this answer and nowhere else.',
    body: newKey,
    answer: madeKey,
  },
  'DELETE /api/keys/{id}': { tag: 'access', summary: 'Revokes a key at once.', answer: apiKey },
  'GET /api/audit': {
    tag: 'access',
    summary: 'Every change: who, when, from what to what.',
    query: [
      parameter.whole('limit', 'At most so many; 100, and no more than 1000.'),
      parameter.text('actor', 'By this person.'),
      parameter.text('action', 'Of this kind.'),
      parameter.text('text', 'With this text in it.'),
      parameter.time('since', 'Since then.'),
      parameter.whole('before', 'The next page: `next` of the page before.'),
    ],
    answer: auditList,
  },
};
