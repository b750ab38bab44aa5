import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { createDatabase, type Database } from './database.ts';
import { openConnection } from './open.ts';
import { lockDatabase } from './process-lock.ts';
import { needsReopening, sqliteCode } from './sqlite-code.ts';
import { StoreError } from './store-error.ts';
import type { Failure, WorkerCall, WorkerMessage, WorkerOptions } from './worker-protocol.ts';

/** Deletions are done in chunks with a pause between them, so that reads get their turn. */
const NEXT_CHUNK_MS = 200;
const NEXT_UPKEEP_MS = 60_000;
/** What a database in memory holds of single requests at most, about 30 MB. */
const REQUESTS_IN_MEMORY = 100_000;

type Served = {
  database: Database;
  /** Why the file could not be used; null where it is. */
  readonly inMemory: Failure | null;
  readonly unlock: () => void;
};

type Send = (message: WorkerMessage<unknown>) => void;

/**
 * Opens the database and answers the calls that come through `port`, one after the other. Where the file cannot be
 * used, a database in memory takes its place; where another process has it, says so and ends.
 */
export function serveDatabase(port: MessagePort, options: WorkerOptions): void {
  const send: Send = (message) => port.postMessage(message);
  const served = open(options);
  if (served instanceof StoreError) {
    send({ kind: 'in_use', message: served.message });
    return;
  }
  send({ kind: 'opened', memory: served.inMemory });
  const stopUpkeep = keepUp(served, send);
  port.on('message', (call: WorkerCall) => {
    answer(call, served, options, send);
    if (call.call !== 'close') return;
    stopUpkeep();
    served.unlock();
    port.close();
  });
}

function open({ file, migrationsDir, retention }: WorkerOptions): Served | StoreError {
  let unlock = () => {};
  try {
    mkdirSync(dirname(file), { recursive: true });
    unlock = lockDatabase(file);
    return { database: createDatabase(openConnection(file, migrationsDir), retention), inMemory: null, unlock };
  } catch (error) {
    unlock();
    if (error instanceof StoreError) return error;
    const requestRows = Math.min(retention.requestRows, REQUESTS_IN_MEMORY);
    const database = createDatabase(openConnection(':memory:', migrationsDir), { ...retention, requestRows });
    return { database, inMemory: failureOf(error), unlock: () => {} };
  }
}

function answer(call: WorkerCall, served: Served, options: WorkerOptions, send: Send): void {
  try {
    send({ kind: 'answer', id: call.id, value: runAgainIfReopened(call, served, options) });
  } catch (error) {
    send({ kind: 'failed', id: call.id, failure: failureOf(error) });
  }
}

/** What was read-only or unreadable may have been mended since; an open connection does not notice. */
function runAgainIfReopened(call: WorkerCall, served: Served, { file, migrationsDir, retention }: WorkerOptions) {
  try {
    return run(served.database, call);
  } catch (error) {
    if (served.inMemory !== null || !needsReopening(sqliteCode(error))) throw error;
    const stale = served.database;
    served.database = createDatabase(openConnection(file, migrationsDir), retention);
    stale.close();
    return run(served.database, call);
  }
}

function run(database: Database, call: WorkerCall): unknown {
  switch (call.call) {
    case 'writeBatch':
      return database.writeBatch(...call.args);
    case 'routerMemory':
      return database.routerMemory(...call.args);
    case 'settings':
      return database.settings(...call.args);
    case 'saveSetting':
      return database.saveSetting(...call.args);
    case 'managedModels':
      return database.managedModels(...call.args);
    case 'saveManagedModel':
      return database.saveManagedModel(...call.args);
    case 'deleteManagedModel':
      return database.deleteManagedModel(...call.args);
    case 'removedModels':
      return database.removedModels(...call.args);
    case 'setModelRemoved':
      return database.setModelRemoved(...call.args);
    case 'tokenSeries':
      return database.tokenSeries(...call.args);
    case 'latencySeries':
      return database.latencySeries(...call.args);
    case 'admissionSeries':
      return database.admissionSeries(...call.args);
    case 'replicaSeries':
      return database.replicaSeries(...call.args);
    case 'latencyWhole':
      return database.latencyWhole(...call.args);
    case 'endingSeries':
      return database.endingSeries(...call.args);
    case 'hitShareIn':
      return database.hitShareIn(...call.args);
    case 'eventsBetween':
      return database.eventsBetween(...call.args);
    case 'hitShare':
      return database.hitShare(...call.args);
    case 'modelActivity':
      return database.modelActivity(...call.args);
    case 'requests':
      return database.requests(...call.args);
    case 'findRequests':
      return database.findRequests(...call.args);
    case 'requestClients':
      return database.requestClients();
    case 'events':
      return database.events(...call.args);
    case 'addBenchmark':
      return database.addBenchmark(...call.args);
    case 'endBenchmark':
      return database.endBenchmark(...call.args);
    case 'deleteBenchmark':
      return database.deleteBenchmark(...call.args);
    case 'benchmarks':
      return database.benchmarks(...call.args);
    case 'benchmark':
      return database.benchmark(...call.args);
    case 'unfinishedBenchmarks':
      return database.unfinishedBenchmarks(...call.args);
    case 'access':
      return database.access(...call.args);
    case 'addPerson':
      return database.addPerson(...call.args);
    case 'savePerson':
      return database.savePerson(...call.args);
    case 'removePerson':
      return database.removePerson(...call.args);
    case 'saveConsoleSession':
      return database.saveConsoleSession(...call.args);
    case 'removeConsoleSessions':
      return database.removeConsoleSessions(...call.args);
    case 'endConsoleSessions':
      return database.endConsoleSessions(...call.args);
    case 'addApiKey':
      return database.addApiKey(...call.args);
    case 'revokeApiKey':
      return database.revokeApiKey(...call.args);
    case 'keyUsage':
      return database.keyUsage(...call.args);
    case 'addAudit':
      return database.addAudit(...call.args);
    case 'auditEntries':
      return database.auditEntries(...call.args);
    case 'retention':
      return database.retention();
    case 'saveRetention':
      return database.saveRetention(...call.args);
    case 'measureTables':
      return database.measureTables();
    case 'fileSizes':
      return database.fileSizes();
    case 'close':
      return database.close(...call.args);
  }
}

/** Deletes what is too old, a chunk at a time; returns how to stop. */
function keepUp(served: Served, send: Send): () => void {
  let timer = setTimeout(step, NEXT_CHUNK_MS);
  return () => clearTimeout(timer);

  function step(): void {
    let pause = NEXT_UPKEEP_MS;
    try {
      if (served.database.retain(Date.now())) pause = NEXT_CHUNK_MS;
    } catch (error) {
      send({ kind: 'upkeep_failed', failure: failureOf(error) });
    }
    timer = setTimeout(step, pause);
  }
}

function failureOf(error: unknown): Failure {
  return { code: sqliteCode(error), message: error instanceof Error ? error.message : String(error) };
}
