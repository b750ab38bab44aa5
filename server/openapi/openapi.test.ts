import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { API_ROUTES } from '#server/api/routes.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { startTestWarden, TEST_MODEL } from '#server/warden-for-tests.ts';
import { openApiDocument, pathTemplate } from './openapi.ts';
import { OPERATIONS } from './operations.ts';

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(openApiDocument('1.2.3')));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('describes every call of the table of routes, and none that is not there', () => {
    const calls = API_ROUTES.map(({ method, path }) => `${method} ${pathTemplate(path)}`);
    expect(calls.filter((call) => OPERATIONS[call] === undefined)).toEqual([]);
    expect(Object.keys(OPERATIONS).filter((call) => !calls.includes(call))).toEqual([]);
  });

  it('gives each pattern a template that it matches itself', () => {
    for (const { path } of API_ROUTES) {
      const example = pathTemplate(path)
        .replace('{name}', 'qwen')
        .replace('{key}', '0123456789ab')
        .replace(/\{\w+\}/g, '1');
      expect(path.test(example), `${path.source} → ${example}`).toBe(true);
    }
  });

  it('refers to schemas that are there, and calls nothing twice', () => {
    const document = openApiDocument('1.2.3');
    const text = JSON.stringify(document);
    const { schemas } = document.components as { schemas: Record<string, unknown> };
    const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
    expect(references.length).toBeGreaterThan(API_ROUTES.length);
    expect(references.filter((name) => schemas[name] === undefined)).toEqual([]);
    const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is refused for a route that nobody described', () => {
    const route = { method: 'GET', path: /^\/api\/undescribed$/, who: 'viewer', handle: async () => null } as const;
    expect(() => openApiDocument('1.2.3', [route])).toThrow('GET /api/undescribed is not described');
  });
});

describe('a running warden', () => {
  it('serves it, and answers what it says', async () => {
    const fleet = await startSimulatedFleet({ speed: 50, replicas: 2 });
    const warden = await startTestWarden({ fleets: [fleet] });
    const body = { model: TEST_MODEL, max_tokens: 2, messages: [{ role: 'user', content: 'hi' }] };
    await (await warden.post('/v1/chat/completions', body, { 'x-session-id': 'a' })).text();
    const served: unknown = await (await fetch(`${warden.url}/api/openapi.json`)).json();
    expect(served).toEqual(JSON.parse(JSON.stringify(openApiDocument('0.0.0-test'))));
    for (const [call, { answer }] of Object.entries(OPERATIONS)) {
      const [method, path = ''] = call.split(' ');
      if (method !== 'GET' || /\{(key|id)\}/.test(path)) continue;
      const response = await fetch(warden.url + path.replace('{name}', encodeURIComponent(TEST_MODEL)));
      const told: unknown = await response.json();
      // The demo and the shared memory are not there with an engine of one's own.
      if (response.status === 409 || response.status === 404) continue;
      expect(response.status, call).toBe(200);
      expect(answer.safeParse(told).error, call).toBeUndefined();
    }
    await warden.close();
    await fleet.close();
  });
});
