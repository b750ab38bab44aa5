import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import next from 'next';
import type { Logger } from 'pino';
import { inlineScripts, isPageData } from '#lib/access/page-policy.ts';
import { createPagePolicies } from './http/page-answer.ts';

/** The console's pages, served by Next. They are static shells; all data comes from the API. */
export type Pages = {
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** True for an upgrade that Next answers itself (its reload socket in development). */
  ownsUpgrade(req: IncomingMessage): boolean;
  close(): Promise<void>;
};

/** `dir` holds `app/` and the build in `.next`. In development, pages have no policy: its tools need to evaluate code. */
export async function createPages(dir: string, dev: boolean, server: Server, log: Logger): Promise<Pages> {
  const app = next({ dev, dir, httpServer: server, quiet: !dev });
  await app.prepare();
  const handle = app.getRequestHandler();
  const policies = dev
    ? null
    : createPagePolicies(scriptsOfBuild(dir), (script) => {
        log.warn(
          { script: script.slice(0, 100) },
          'a page has an inline script that is not of the build; it will not run',
        );
      });
  return {
    handle(req, res) {
      if (policies !== null && req.url?.startsWith('/_next/static/') !== true) {
        // The policy is made from the text of the page.
        delete req.headers['accept-encoding'];
        policies.guard(res);
      }
      return handle(req, res);
    },
    ownsUpgrade: (req) => dev && req.url?.startsWith('/_next/') === true,
    close: () => app.close(),
  };
}

/** The inline scripts of the built pages, but for those that are data. */
function scriptsOfBuild(dir: string): ReadonlySet<string> {
  const folder = join(dir, '.next/server/app');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
  const pages = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  return new Set(pages.flatMap(inlineScripts).filter((script) => !isPageData(script)));
}
