import { afterEach, describe, expect, it } from 'vitest';
import { eventList } from '#lib/contract/activity.ts';
import { startSimulatedFleet } from '#server/simulated-fleet/start-fleet.ts';
import { eventually, startTestWarden, TEST_MODEL } from '#server/warden-for-tests.ts';
import { alertSenses, alertsOf, startReceiver } from './alert-receiver-for-tests.ts';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of closing.splice(0).reverse()) await part.close();
});

async function receiver(...statuses: number[]) {
  const started = await startReceiver(...statuses);
  closing.push(started);
  return started;
}

describe('alerts of a running warden', () => {
  it('tell of an engine that is down, by the API, the webhook and /metrics, and when it is back', async () => {
    const { url, received } = await receiver(200);
    const fleet = await startSimulatedFleet({ speed: 50, replicas: 2 });
    const warden = await startTestWarden({ fleets: [fleet], alertWebhook: url, alertSenses });
    closing.push(warden);
    expect(await alertsOf(warden)).toEqual({ alerts: [], resolved: [] });

    await fleet.close();
    const raised = await eventually(async () => {
      const { alerts } = await alertsOf(warden);
      expect(alerts).toMatchObject([
        { code: 'engine_down', severity: 'critical', model: TEST_MODEL, url: fleet.url, resolved_at: null },
      ]);
      return alerts[0];
    });
    expect(raised?.action).toContain('log');
    expect(await (await fetch(`${warden.url}/metrics`)).text()).toContain('warden_alerts{code="engine_down"} 1');

    const back = await startSimulatedFleet({ speed: 50, replicas: 2, port: Number(new URL(fleet.url).port) });
    closing.push(back);
    await eventually(async () => {
      const { alerts, resolved } = await alertsOf(warden);
      expect(alerts.filter(({ code }) => code === 'engine_down')).toEqual([]);
      expect(resolved.find(({ id }) => id === raised?.id)).toMatchObject({ resolved_at: expect.any(String) });
    }, 10_000);
    await eventually(() => {
      const told = received.filter(({ notice }) => notice.alert.id === raised?.id);
      expect(told.map(({ notice }) => notice.status)).toEqual(['raised', 'resolved']);
      expect(told[0]?.notice.text).toContain(fleet.url);
    });
  });

  it('tell of an engine that restarted, though nobody saw it down', async () => {
    const fleet = await startSimulatedFleet({ speed: 50, replicas: 1 });
    const warden = await startTestWarden({ fleets: [fleet], alertSenses });
    closing.push(fleet, warden);
    const body = { model: TEST_MODEL, max_tokens: 2, messages: [{ role: 'user', content: 'hi' }] };
    await (await warden.post('/v1/chat/completions', body)).text();
    await eventually(async () => expect((await warden.routing()).replicas[0]?.requests_running).toBe(0));
    await fleet.restart();
    await eventually(async () => {
      const { alerts } = await alertsOf(warden);
      expect(alerts).toMatchObject([{ code: 'engine_restarted', severity: 'info', model: TEST_MODEL }]);
    }, 10_000);
  });

  it('are tried again where the webhook fails, in order, and never carry what a client sent', async () => {
    const { url, received } = await receiver(500, 302, 200);
    const warden = await startTestWarden({ fleets: [{ url: 'http://127.0.0.1:9' }], alertWebhook: url, alertSenses });
    closing.push(warden);
    const body = { model: TEST_MODEL, messages: [{ role: 'user', content: 'a very secret prompt' }] };
    void warden.post('/v1/chat/completions', body, { 'x-session-id': 'secret-session' });
    await eventually(() => expect(received.map(({ status }) => status)).toEqual([500, 302, 200]), 15_000);
    expect(new Set(received.map(({ raw }) => raw)).size).toBe(1);
    expect(received[0]?.notice).toMatchObject({ source: 'lm-warden', status: 'raised', version: '0.0.0-test' });
    for (const { raw } of received) expect(raw).not.toMatch(/secret (prompt|session)|hook/);
  });

  it('stand once among the events: the router tells of engines itself', async () => {
    const fleet = await startSimulatedFleet({ speed: 50, replicas: 1 });
    const warden = await startTestWarden({ fleets: [fleet], alertSenses });
    closing.push(fleet, warden);
    await fleet.close();
    await eventually(async () => expect((await alertsOf(warden)).alerts).toHaveLength(1));
    await eventually(async () => {
      const answer = await fetch(`${warden.url}/api/events`);
      const kinds = eventList.parse(await answer.json()).events.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'engine_down' || kind === 'alert_raised')).toEqual(['engine_down']);
    });
  });
});

describe('many requests without a valid key', () => {
  it('raise an alert, which is kept as an event and never names a key', async () => {
    const { url, received } = await receiver(200);
    const fleet = await startSimulatedFleet({ speed: 50, replicas: 1 });
    const access = { requireKeys: 'always' } as const;
    const warden = await startTestWarden({ fleets: [fleet], alertWebhook: url, alertSenses, access });
    closing.push(fleet, warden);
    const body = { model: TEST_MODEL, prompt: 'hi', max_tokens: 1 };
    for (let attempt = 0; attempt < 25; attempt += 1) {
      const answer = await warden.post('/v1/completions', body, { authorization: `Bearer guessed-${attempt}` });
      expect(answer.status).toBe(401);
      await answer.text();
    }
    await eventually(async () => {
      const { alerts } = await alertsOf(warden);
      expect(alerts).toMatchObject([{ code: 'keys_failing', severity: 'warning', model: null }]);
      expect(alerts[0]?.values.refused).toBeGreaterThanOrEqual(20);
    });
    await eventually(async () => {
      const { events } = eventList.parse(await (await fetch(`${warden.url}/api/events`)).json());
      expect(events.filter(({ kind }) => kind === 'alert_raised')).toMatchObject([
        { detail: expect.stringContaining('without a valid key'), facts: { code: 'keys_failing' } },
      ]);
    });
    await eventually(() => expect(received.map(({ notice }) => notice.alert.code)).toEqual(['keys_failing']));
    expect(received[0]?.raw).not.toContain('guessed');
    const metrics = await (await fetch(`${warden.url}/metrics`)).text();
    expect(metrics).toContain('warden_refused_requests_total{code="invalid_api_key",status="401"} 25');
  });
});
