/**
 * Entry of a worker thread: starts a fleet with the options in `workerData`, says where it listens, and ends when it
 * is told to. A failure to start reaches the parent as the thread's error.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { SimulatedFleetOptions } from './fleet-options.ts';
import type { WorkerCommand, WorkerReport } from './fleet-worker-messages.ts';
import { startSimulatedFleet } from './start-fleet.ts';

const port = parentPort;
if (port === null) throw new Error('fleet-worker runs as a worker thread only');

const options: SimulatedFleetOptions = workerData;
// Nothing outside a test may break the demo.
const fleet = await startSimulatedFleet({ ...options, control: false });
port.on('message', async (command: WorkerCommand) => {
  if (command.type !== 'close') return;
  await fleet.close();
  port.close();
});
const listening: WorkerReport = { type: 'listening', url: fleet.url };
port.postMessage(listening);
