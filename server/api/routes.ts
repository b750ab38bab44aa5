import type { Who } from '#lib/access/caller.ts';
import { listAlerts } from './alert-handlers.ts';
import {
  benchmarkFacts,
  benchmarkSubject,
  conversationFacts,
  conversationSubject,
  demoFacts,
  drainFacts,
  modelSubject,
  replicaSubject,
  routingFacts,
  settingsFacts,
} from './audit-facts.ts';
import { listAudit } from './audit-handlers.ts';
import type { AuditRule } from './audit-rule.ts';
import { deleteBenchmark, getBenchmark, getReadings, listBenchmarks, postBenchmark } from './benchmark-handlers.ts';
import { getConnectFacts } from './connect-handler.ts';
import { getFleet, getFleetFigures, getOwnFigures } from './fleet-handlers.ts';
import {
  type ApiCall,
  getDemo,
  getRouting,
  listEvents,
  listModels,
  patchReplica,
  patchRouting,
  postDemo,
  processStatus,
} from './handlers.ts';
import { deleteKey, listKeys, postKey } from './key-handlers.ts';
import { deleteLogin, getLogin, patchPassword, postFirstRun, postLogin } from './login-handlers.ts';
import {
  deleteModel,
  getModel,
  modelFacts,
  patchModel,
  postModel,
  postProbe,
  postSimulated,
} from './managed-model-handlers.ts';
import { getAdvice, getInFlight } from './model-handlers.ts';
import { deletePerson, listPeople, patchPerson, personFacts, personSubject, postPerson } from './people-handlers.ts';
import { listClients, listRequests } from './request-handlers.ts';
import {
  admissionStats,
  decisionStats,
  errorStats,
  latencyStats,
  replicaStats,
  tokenStats,
} from './series-handlers.ts';
import { deleteSession, getSession, listSessions, postSessionHome } from './session-handlers.ts';
import { getDatabase, getSettings, patchSettings } from './settings-handlers.ts';

/** A call: what it is called by, who may make it, and what the audit list says of one that changes something. */
export type Route = {
  readonly method: string;
  readonly path: RegExp;
  readonly who: Who;
  /** Of a call that is not a GET; `none` where it changes nothing all the same. */
  readonly audit?: AuditRule | 'none';
  readonly handle: (call: ApiCall) => Promise<unknown>;
};

export const API_ROUTES: readonly Route[] = [
  { method: 'GET', path: /^\/api\/status$/, who: 'viewer', handle: processStatus },
  { method: 'GET', path: /^\/api\/models$/, who: 'viewer', handle: listModels },
  { method: 'POST', path: /^\/api\/models\/probe$/, who: 'admin', audit: 'none', handle: postProbe },
  {
    method: 'POST',
    path: /^\/api\/models\/simulated$/,
    who: 'admin',
    audit: { action: 'model.restore_simulated' },
    handle: postSimulated,
  },
  { method: 'POST', path: /^\/api\/models$/, who: 'admin', audit: { action: 'model.add' }, handle: postModel },
  { method: 'GET', path: /^\/api\/models\/(?<name>[^/]+)$/, who: 'viewer', handle: getModel },
  {
    method: 'PATCH',
    path: /^\/api\/models\/(?<name>[^/]+)$/,
    who: 'admin',
    audit: { action: 'model.change', subject: modelSubject, state: modelFacts },
    handle: patchModel,
  },
  {
    method: 'DELETE',
    path: /^\/api\/models\/(?<name>[^/]+)$/,
    who: 'admin',
    audit: { action: 'model.remove', subject: modelSubject, state: modelFacts },
    handle: deleteModel,
  },
  { method: 'GET', path: /^\/api\/models\/(?<name>[^/]+)\/routing$/, who: 'viewer', handle: getRouting },
  {
    method: 'PATCH',
    path: /^\/api\/models\/(?<name>[^/]+)\/routing$/,
    who: 'admin',
    audit: { action: 'routing.change', subject: modelSubject, state: routingFacts },
    handle: patchRouting,
  },
  {
    method: 'PATCH',
    path: /^\/api\/models\/(?<name>[^/]+)\/replicas\/(?<replica>\d+)$/,
    who: 'admin',
    audit: { action: 'replica.drain', subject: replicaSubject, state: drainFacts },
    handle: patchReplica,
  },
  { method: 'GET', path: /^\/api\/stats\/tokens$/, who: 'viewer', handle: tokenStats },
  { method: 'GET', path: /^\/api\/stats\/latency$/, who: 'viewer', handle: latencyStats },
  { method: 'GET', path: /^\/api\/stats\/admission$/, who: 'viewer', handle: admissionStats },
  { method: 'GET', path: /^\/api\/stats\/decisions$/, who: 'viewer', handle: decisionStats },
  { method: 'GET', path: /^\/api\/stats\/errors$/, who: 'viewer', handle: errorStats },
  { method: 'GET', path: /^\/api\/stats\/replicas$/, who: 'viewer', handle: replicaStats },
  { method: 'GET', path: /^\/api\/sessions$/, who: 'viewer', handle: listSessions },
  { method: 'GET', path: /^\/api\/sessions\/(?<key>[0-9a-f]{12})$/, who: 'viewer', handle: getSession },
  {
    method: 'DELETE',
    path: /^\/api\/sessions\/(?<key>[0-9a-f]{12})$/,
    who: 'admin',
    audit: { action: 'conversation.forget', subject: conversationSubject, state: conversationFacts },
    handle: deleteSession,
  },
  {
    method: 'POST',
    path: /^\/api\/sessions\/(?<key>[0-9a-f]{12})\/home$/,
    who: 'admin',
    audit: { action: 'conversation.move', subject: conversationSubject, state: conversationFacts },
    handle: postSessionHome,
  },
  { method: 'GET', path: /^\/api\/requests$/, who: 'viewer', handle: listRequests },
  { method: 'GET', path: /^\/api\/requests\/clients$/, who: 'viewer', handle: listClients },
  { method: 'GET', path: /^\/api\/events$/, who: 'viewer', handle: listEvents },
  {
    method: 'GET',
    path: /^\/api\/openapi\.json$/,
    who: 'viewer',
    handle: async ({ context }) => context.openApi(),
  },
  { method: 'GET', path: /^\/api\/alerts$/, who: 'viewer', handle: listAlerts },
  { method: 'GET', path: /^\/api\/demo$/, who: 'viewer', handle: getDemo },
  {
    method: 'POST',
    path: /^\/api\/demo$/,
    who: 'admin',
    audit: { action: 'demo.set', state: demoFacts },
    handle: postDemo,
  },
  { method: 'GET', path: /^\/api\/models\/(?<name>[^/]+)\/connect$/, who: 'viewer', handle: getConnectFacts },
  { method: 'GET', path: /^\/api\/models\/(?<name>[^/]+)\/in-flight$/, who: 'viewer', handle: getInFlight },
  { method: 'GET', path: /^\/api\/models\/(?<name>[^/]+)\/advice$/, who: 'viewer', handle: getAdvice },
  { method: 'GET', path: /^\/api\/models\/(?<name>[^/]+)\/readings$/, who: 'viewer', handle: getReadings },
  { method: 'GET', path: /^\/api\/benchmarks$/, who: 'viewer', handle: listBenchmarks },
  {
    method: 'POST',
    path: /^\/api\/benchmarks$/,
    who: 'admin',
    audit: { action: 'benchmark.start' },
    handle: postBenchmark,
  },
  { method: 'GET', path: /^\/api\/benchmarks\/(?<id>\d{1,15})$/, who: 'viewer', handle: getBenchmark },
  {
    method: 'DELETE',
    path: /^\/api\/benchmarks\/(?<id>\d{1,15})$/,
    who: 'admin',
    audit: { action: 'benchmark.remove', subject: benchmarkSubject, state: benchmarkFacts },
    handle: deleteBenchmark,
  },
  { method: 'GET', path: /^\/api\/session$/, who: 'anyone', handle: getLogin },
  { method: 'POST', path: /^\/api\/session$/, who: 'anyone', audit: { action: 'session.begin' }, handle: postLogin },
  { method: 'DELETE', path: /^\/api\/session$/, who: 'anyone', audit: { action: 'session.end' }, handle: deleteLogin },
  {
    method: 'PATCH',
    path: /^\/api\/session\/password$/,
    who: 'viewer',
    audit: { action: 'password.change' },
    handle: patchPassword,
  },
  {
    method: 'POST',
    path: /^\/api\/first-run$/,
    who: 'anyone',
    audit: { action: 'first_run.use' },
    handle: postFirstRun,
  },
  { method: 'GET', path: /^\/api\/people$/, who: 'admin', handle: listPeople },
  { method: 'POST', path: /^\/api\/people$/, who: 'admin', audit: { action: 'person.add' }, handle: postPerson },
  {
    method: 'PATCH',
    path: /^\/api\/people\/(?<id>\d{1,15})$/,
    who: 'admin',
    audit: { action: 'person.change', subject: personSubject, state: personFacts },
    handle: patchPerson,
  },
  {
    method: 'DELETE',
    path: /^\/api\/people\/(?<id>\d{1,15})$/,
    who: 'admin',
    audit: { action: 'person.remove' },
    handle: deletePerson,
  },
  { method: 'GET', path: /^\/api\/keys$/, who: 'viewer', handle: listKeys },
  { method: 'POST', path: /^\/api\/keys$/, who: 'admin', audit: { action: 'key.make' }, handle: postKey },
  {
    method: 'DELETE',
    path: /^\/api\/keys\/(?<id>\d{1,15})$/,
    who: 'admin',
    audit: { action: 'key.revoke' },
    handle: deleteKey,
  },
  { method: 'GET', path: /^\/api\/audit$/, who: 'admin', handle: listAudit },
  { method: 'GET', path: /^\/api\/fleet$/, who: 'viewer', handle: getFleet },
  { method: 'GET', path: /^\/api\/fleet\/figures$/, who: 'viewer', handle: getFleetFigures },
  { method: 'GET', path: /^\/api\/fleet\/figures\/own$/, who: 'fellow', handle: getOwnFigures },
  { method: 'GET', path: /^\/api\/settings$/, who: 'viewer', handle: getSettings },
  {
    method: 'PATCH',
    path: /^\/api\/settings$/,
    who: 'admin',
    audit: { action: 'settings.change', state: settingsFacts },
    handle: patchSettings,
  },
  { method: 'GET', path: /^\/api\/settings\/database$/, who: 'viewer', handle: getDatabase },
];
