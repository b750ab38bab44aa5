import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PATIENCE } from '#lib/alerts/alert-book.ts';
import { type AlertNotice, alertList, alertNotice } from '#lib/contract/alerts.ts';
import type { TestWarden } from '#server/warden-for-tests.ts';

/** As in production, but in milliseconds. */
const QUICK = Object.fromEntries(
  Object.entries(PATIENCE).map(([code, { raiseAfterMs, clearAfterMs }]) => [
    code,
    { raiseAfterMs: raiseAfterMs / 1000, clearAfterMs: clearAfterMs / 1000 },
  ]),
);
export const alertSenses = { everyMs: 20, patience: { ...PATIENCE, ...QUICK } };

type Received = { readonly notice: AlertNotice; readonly status: number; readonly raw: string };

/** A receiver of webhooks that answers with each of `statuses` in turn, and with the last one from then on. */
export async function startReceiver(...statuses: number[]) {
  const received: Received[] = [];
  const server = createServer((req, res) => {
    let raw = '';
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => {
      raw += chunk;
    });
    req.on('end', () => {
      const status = statuses.length > 1 ? (statuses.shift() ?? 200) : (statuses[0] ?? 200);
      received.push({ notice: alertNotice.parse(JSON.parse(raw)), status, raw });
      res.writeHead(status, { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook/secret-path`,
    received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export const alertsOf = async (warden: TestWarden) =>
  alertList.parse(await (await fetch(`${warden.url}/api/alerts`)).json());
