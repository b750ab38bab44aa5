import { z } from 'zod';
import * as accessContract from '#lib/contract/access.ts';
import * as activityContract from '#lib/contract/activity.ts';
import * as adviceContract from '#lib/contract/advice.ts';
import * as alertContract from '#lib/contract/alerts.ts';
import * as benchmarkContract from '#lib/contract/benchmark.ts';
import * as connectContract from '#lib/contract/connect.ts';
import * as fleetContract from '#lib/contract/fleet.ts';
import * as managedModelContract from '#lib/contract/managed-models.ts';
import * as modelContract from '#lib/contract/models.ts';
import * as seriesContract from '#lib/contract/series.ts';
import * as settingsContract from '#lib/contract/settings.ts';
import { API_ROUTES, type Route } from '#server/api/routes.ts';
import * as ownAnswers from './answers.ts';
import type { Operation, Parameter } from './operation.ts';
import { OPERATIONS } from './operations.ts';

const CONTRACT: Readonly<Record<string, unknown>> = {
  ...accessContract,
  ...activityContract,
  ...adviceContract,
  ...alertContract,
  ...benchmarkContract,
  ...connectContract,
  ...fleetContract,
  ...managedModelContract,
  ...modelContract,
  ...seriesContract,
  ...settingsContract,
  ...ownAnswers,
};

type JsonObject = Record<string, unknown>;

/** The console's API in OpenAPI 3.1: the table of routes, with the schemas that the answers are checked against. */
export function openApiDocument(version: string, routes: readonly Route[] = API_ROUTES): JsonObject {
  const names = nameSchemas();
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const path = pathTemplate(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationObject(route, path, names) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'LM Warden',
      version,
      description: 'The API of the console. Durations end in _seconds, shares in _percent; what is unknown is null.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths: { ...paths, ...outsidePaths(names) },
    webhooks: { alert: { post: alertWebhook(names) } },
    components: { schemas: componentSchemas(names), securitySchemes: SECURITY_SCHEMES },
  };
}

/** Where there is no password, on loopback, nothing is asked for. */
const SECURITY_SCHEMES = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'warden_session',
    description: 'Set by POST /api/session; over TLS its name is __Host-warden.',
  },
  fellow: {
    type: 'http',
    scheme: 'warden',
    description:
      "Another warden's proof that it has the secret of the fleet; docs/security.md says what it is made of.",
  },
} as const;

/** `GET /api/models/{name}` from the pattern that it is matched with. */
export function pathTemplate({ source }: RegExp): string {
  return source
    .replace(/^\^|\$$/g, '')
    .replace(/\(\?<(\w+)>(?:\[[^\]]*\]|\\.|[^()[\]])*\)/g, '{$1}')
    .replace(/\\(.)/g, '$1');
}

type Names = z.core.$ZodRegistry<{ id: string }>;

function nameSchemas(): Names {
  const names: Names = z.registry<{ id: string }>();
  for (const [name, schema] of Object.entries(CONTRACT)) {
    if (schema instanceof z.ZodType) names.add(schema, { id: name.charAt(0).toUpperCase() + name.slice(1) });
  }
  return names;
}

const referenceTo = (id: string): string => `#/components/schemas/${id}`;

function componentSchemas(names: Names): JsonObject {
  const { schemas } = z.toJSONSchema(names, { io: 'output', uri: referenceTo, override: allowMore });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _place, ...schema }]) => [id, schema]),
  );
}

/** An answer may grow: who reads it must not refuse what it does not know. */
function allowMore({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

function reference(names: Names, schema: z.ZodType): JsonObject {
  const named = names.get(schema);
  if (named === undefined) throw new Error('an answer of the API has a schema that the contract does not export');
  return { $ref: referenceTo(named.id) };
}

function operationObject(route: Route, path: string, names: Names): JsonObject {
  const operation = OPERATIONS[`${route.method} ${path}`];
  if (operation === undefined) throw new Error(`${route.method} ${path} is not described in server/openapi`);
  return {
    operationId: operationId(route.method, path),
    tags: [operation.tag],
    summary: operation.summary,
    ...securityOf(route),
    parameters: [...pathParameters(path), ...(operation.query ?? []).map(queryParameter)],
    ...bodyOf(operation),
    responses: {
      200: { description: 'Done.', content: json(reference(names, operation.answer)) },
      default: {
        description: 'RFC 9457 problem details; `field` names what is at fault.',
        content: { 'application/problem+json': { schema: reference(names, activityContract.problem) } },
      },
    },
  };
}

function securityOf({ who }: Route): JsonObject {
  if (who === 'anyone') return { security: [] };
  if (who === 'fellow') return { security: [{ session: [] }, { fellow: [] }], 'x-role': 'viewer' };
  return { security: [{ session: [] }], 'x-role': who };
}

const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });

function operationId(method: string, path: string): string {
  const words = path.replace(/^\/api/, '').match(/[a-z0-9]+/gi) ?? [];
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function bodyOf({ body }: Operation): JsonObject {
  if (body === undefined) return {};
  const { $schema: _dialect, ...schema } = z.toJSONSchema(body, { io: 'input' });
  return { requestBody: { required: true, content: json(schema) } };
}

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  name: 'The name of a model, percent-encoded: names contain slashes.',
  replica: 'The number of a replica, from 0.',
  key: 'The first 12 digits of the hashed session key.',
  id: 'A number.',
};

function pathParameters(path: string): readonly JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name] ?? name,
    schema: { type: 'string' },
  }));
}

function queryParameter({ name, description, schema }: Parameter): JsonObject {
  return { name, in: 'query', required: false, description, schema };
}

/** What is not part of the console's API and belongs to whoever watches the process. */
function outsidePaths(names: Names): Readonly<Record<string, JsonObject>> {
  const state = (summary: string, id: string): JsonObject => ({
    get: {
      operationId: id,
      tags: ['process'],
      summary,
      security: [],
      responses: {
        200: { description: 'Yes.', content: json(reference(names, ownAnswers.health)) },
        503: { description: 'No.', content: json(reference(names, ownAnswers.health)) },
      },
    },
  });
  return {
    '/healthz': state('The process lives.', 'getHealthz'),
    '/readyz': state('At least one replica is up, and the process is not ending.', 'getReadyz'),
    '/metrics': {
      get: {
        operationId: 'getMetrics',
        tags: ['process'],
        summary: "Prometheus' text; names start with warden_.",
        responses: { 200: { description: 'The metrics.', content: { 'text/plain': { schema: { type: 'string' } } } } },
      },
    },
  };
}

function alertWebhook(names: Names): JsonObject {
  return {
    operationId: 'alertWebhook',
    tags: ['activity'],
    summary: 'Sent to WARDEN_ALERT_WEBHOOK when an alert is raised and when it is over; tried again until it is taken.',
    requestBody: { required: true, content: json(reference(names, alertContract.alertNotice)) },
    responses: { '2XX': { description: 'Taken.' } },
  };
}
