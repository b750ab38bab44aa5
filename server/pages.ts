import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import next from 'next';

/** The console's pages, served by Next. They are static shells; all data comes from the API. */
export type Pages = {
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** True for an upgrade that Next answers itself (its reload socket in development). */
  ownsUpgrade(req: IncomingMessage): boolean;
  close(): Promise<void>;
};

/** `dir` holds `app/` and the build in `.next`. */
export async function createPages(dir: string, dev: boolean, server: Server): Promise<Pages> {
  const app = next({ dev, dir, httpServer: server, quiet: !dev });
  await app.prepare();
  const handle = app.getRequestHandler();
  return {
    handle: (req, res) => handle(req, res),
    ownsUpgrade: (req) => dev && req.url?.startsWith('/_next/') === true,
    close: () => app.close(),
  };
}
