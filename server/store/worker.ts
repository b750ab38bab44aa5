import { parentPort, workerData } from 'node:worker_threads';
import { serveDatabase } from './serve-database.ts';

/* The entry of the database thread. Node 20 loads no TypeScript in a worker: the build bundles this file. */
if (!parentPort) throw new Error('worker.ts is the entry of a worker thread');
serveDatabase(parentPort, workerData);
