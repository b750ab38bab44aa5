import {
  demoRequest,
  demoState,
  inFlightList,
  processStatus,
  sessionDetail,
  sessionEntry,
  sessionForgotten,
  sessionList,
  sessionMove,
  sessionOrder,
} from '#lib/contract/activity.ts';
import { modelAdvice } from '#lib/contract/advice.ts';
import { benchmarkList, benchmarkRequest, benchmarkRun, modelReadings } from '#lib/contract/benchmark.ts';
import { connectFacts } from '#lib/contract/connect.ts';
import { fleetFigures, fleetState, ownFigures } from '#lib/contract/fleet.ts';
import {
  modelConfiguration,
  modelPatch,
  modelRemoved,
  newModel,
  probeRequest,
  probeResult,
} from '#lib/contract/managed-models.ts';
import { modelList, replicaPatch, routingPatch, routingState } from '#lib/contract/models.ts';
import { openApi, simulatedRestored } from './answers.ts';
import { type Operation, parameter } from './operation.ts';

const MODEL = parameter.text('model', 'Of this model only.');

/** Models, their routing, their conversations, benchmarks, and the process itself. */
export const modelOperations: Readonly<Record<string, Operation>> = {
  'GET /api/status': {
    tag: 'process',
    summary: 'The process: version, warnings, simulated or not.',
    answer: processStatus,
  },
  'GET /api/openapi.json': { tag: 'process', summary: 'This document.', answer: openApi },
  'GET /api/fleet': { tag: 'process', summary: 'The wardens that share one memory.', answer: fleetState },
  'GET /api/fleet/figures': {
    tag: 'process',
    summary: 'What each warden of the fleet took in the last 15 minutes, asked of each; who cannot be read, and why.',
    answer: fleetFigures,
  },
  'GET /api/fleet/figures/own': {
    tag: 'process',
    summary: 'What this warden took in the last 15 minutes; also for the other wardens, by a proof that they are.',
    answer: ownFigures,
  },
  'GET /api/demo': { tag: 'process', summary: 'Synthetic sessions against the simulated fleet.', answer: demoState },
  'POST /api/demo': {
    tag: 'process',
    summary: 'Sets how many synthetic sessions run; 0 stops them. 409 where the models are real engines.',
    body: demoRequest,
    answer: demoState,
  },
  'GET /api/models': { tag: 'models', summary: 'All models, in short.', answer: modelList },
  'POST /api/models': {
    tag: 'models',
    summary: 'Adds a model that runs from now on.',
    body: newModel,
    answer: modelConfiguration,
  },
  'POST /api/models/probe': {
    tag: 'models',
    summary: 'Asks engines what they serve, before a model is made of them.',
    body: probeRequest,
    answer: probeResult,
  },
  'POST /api/models/simulated': {
    tag: 'models',
    summary: 'Brings the simulated fleet back where it was removed.',
    answer: simulatedRestored,
  },
  'GET /api/models/{name}': {
    tag: 'models',
    summary: 'How a model is configured, without its key.',
    answer: modelConfiguration,
  },
  'PATCH /api/models/{name}': {
    tag: 'models',
    summary: 'Changes a model that was added in the console.',
    body: modelPatch,
    answer: modelConfiguration,
  },
  'DELETE /api/models/{name}': {
    tag: 'models',
    summary: 'Removes a model; its requests in flight end in their own time.',
    answer: modelRemoved,
  },
  'GET /api/models/{name}/routing': {
    tag: 'models',
    summary: 'The data-parallel routing card: counters and replicas.',
    answer: routingState,
  },
  'PATCH /api/models/{name}/routing': {
    tag: 'models',
    summary: 'Sets affinity, the spill threshold and admission; holds from the next request on and over a restart.',
    body: routingPatch,
    answer: routingState,
  },
  'PATCH /api/models/{name}/replicas/{replica}': {
    tag: 'models',
    summary: 'Drains a replica, or lets it take conversations again.',
    body: replicaPatch,
    answer: routingState,
  },
  'GET /api/models/{name}/connect': {
    tag: 'models',
    summary: 'What a client of this model needs to know.',
    answer: connectFacts,
  },
  'GET /api/models/{name}/in-flight': {
    tag: 'models',
    summary: 'Requests under way now, held ones included.',
    answer: inFlightList,
  },
  'GET /api/models/{name}/advice': {
    tag: 'models',
    summary: 'What could be set better, and why.',
    answer: modelAdvice,
  },
  'GET /api/models/{name}/readings': {
    tag: 'models',
    summary: "The engine's counters as of its last poll, as a load tool needs them.",
    answer: modelReadings,
  },
  'GET /api/sessions': {
    tag: 'activity',
    summary: 'A page of the conversations that have a home or wait for one.',
    query: [
      MODEL,
      parameter.text('q', 'Has this in its key, client, source or model.'),
      parameter.oneOf('order', 'Most, or newest, first; newest where it is left out.', sessionOrder.options),
      parameter.count('offset', 'So many are left out at the beginning.'),
      parameter.whole('limit', 'At most so many; 2000 is the most.'),
    ],
    answer: sessionList,
  },
  'GET /api/sessions/{key}': {
    tag: 'activity',
    summary: 'One conversation with its last turns, oldest first. `key`: the shortened hash of the list.',
    query: [MODEL],
    answer: sessionDetail,
  },
  'DELETE /api/sessions/{key}': {
    tag: 'activity',
    summary: 'Forgets where a conversation lives: its next turn is placed anew.',
    query: [MODEL],
    answer: sessionForgotten,
  },
  'POST /api/sessions/{key}/home': {
    tag: 'activity',
    summary: 'Moves a conversation: its next turn goes there.',
    query: [MODEL],
    body: sessionMove,
    answer: sessionEntry,
  },
  'GET /api/benchmarks': {
    tag: 'benchmarks',
    summary: 'All runs, newest first, and how the one under way goes.',
    answer: benchmarkList,
  },
  'POST /api/benchmarks': {
    tag: 'benchmarks',
    summary: 'Starts a run. 409 while one runs, or while the model has other traffic and allow_traffic is not set.',
    body: benchmarkRequest,
    answer: benchmarkRun,
  },
  'GET /api/benchmarks/{id}': { tag: 'benchmarks', summary: 'One run with its report.', answer: benchmarkRun },
  'DELETE /api/benchmarks/{id}': {
    tag: 'benchmarks',
    summary: 'Cancels the run under way, removes any other.',
    answer: benchmarkRun,
  },
};
