import { createHash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPagePolicies } from './page-answer.ts';

const THEME = "document.documentElement.dataset.theme='dark'";
const DATA = 'self.__next_f.push([1,"/models/a%2Fb"])';
const PAGE = `<!doctype html><script>${THEME}</script><script src="/a.js"></script><script>${DATA}</script>नमस्ते`;
const hashOf = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** A server whose answers are guarded, as those of the pages are. */
async function served(listener: RequestListener, unknown: string[] = []) {
  const policies = createPagePolicies(new Set([THEME]), (script) => unknown.push(script));
  const server = createServer((req, res) => {
    policies.guard(res);
    listener(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (init?: RequestInit) => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, init);
}

const HTML = { 'content-type': 'text/html; charset=utf-8' };

describe('a page', () => {
  const ways: readonly (readonly [string, RequestListener])[] = [
    ['at once', (_req, res) => void res.writeHead(200, HTML).end(PAGE)],
    ['with its status in words', (_req, res) => void res.writeHead(200, 'Fine', HTML).end(PAGE)],
    [
      'in parts',
      (_req, res) => {
        res.statusCode = 200;
        res.setHeader('content-type', 'text/html');
        res.write(Buffer.from(PAGE).subarray(0, 40));
        res.write(Buffer.from(PAGE).subarray(40), () => res.end());
      },
    ],
    [
      'through a pipe',
      (_req, res) => {
        res.setHeader('content-type', 'text/html');
        res.flushHeaders();
        Readable.from([Buffer.from(PAGE)]).pipe(res);
      },
    ],
  ];

  it.each(ways)('that is written %s arrives whole, with a policy of its scripts', async (_way, listener) => {
    const answer = await (await served(listener))();
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(PAGE);
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(PAGE)));
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain(`script-src 'self' ${hashOf(THEME)} ${hashOf(DATA)};`);
  });

  it('does not run a script that is not of the build, and says so', async () => {
    const evil = "fetch('//evil.example')";
    const unknown: string[] = [];
    const html = `<script>${THEME}</script><script>${evil}</script>`;
    const answer = await (await served((_req, res) => void res.writeHead(200, HTML).end(html), unknown))();
    expect(answer.headers.get('content-security-policy')).toContain(`script-src 'self' ${hashOf(THEME)};`);
    expect(answer.headers.get('content-security-policy')).not.toContain(hashOf(evil));
    expect(unknown).toEqual([evil]);
  });

  it('that is asked for by HEAD has no body, and keeps its headers', async () => {
    const ask = await served((_req, res) => void res.writeHead(200, { ...HTML, etag: '"a"' }).end());
    const answer = await ask({ method: 'HEAD' });
    expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([200, '"a"', '']);
  });
});

describe('what is no page', () => {
  it('goes out as it is written', async () => {
    const ask = await served((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/javascript', 'x-a': 'b' });
      res.write('a();');
      res.end('b();');
    });
    const answer = await ask();
    expect([await answer.text(), answer.headers.get('x-a')]).toEqual(['a();b();', 'b']);
    expect(answer.headers.get('content-security-policy')).toBeNull();
  });

  it('may be nothing: a page that did not change', async () => {
    const ask = await served((_req, res) => void res.writeHead(304, { etag: '"a"' }).end());
    const answer = await ask();
    expect([answer.status, answer.headers.get('content-security-policy')]).toEqual([304, null]);
  });
});
