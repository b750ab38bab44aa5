import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { inlineScripts, isPageData, pagePolicy } from '#lib/access/page-policy.ts';

export type PagePolicies = {
  /** Makes an answer carry the policy of the page that it turns out to be. */
  guard(res: ServerResponse): void;
};

/**
 * `knownScripts`: the texts of the inline scripts of the build. An answer that is HTML is kept until it is whole, and
 * goes out with a policy that allows those of them that it has, and the data that Next puts into it; any other inline
 * script does not run, whoever put it there.
 */
export function createPagePolicies(
  knownScripts: ReadonlySet<string>,
  onUnknown: (script: string) => void,
): PagePolicies {
  return {
    guard(res) {
      const { write, end, writeHead, flushHeaders } = res;
      const chunks: Buffer[] = [];
      let isPage: boolean | null = null;
      const keeps = (): boolean => {
        isPage ??= /^text\/html\b/i.test(String(res.getHeader('content-type') ?? ''));
        return isPage;
      };
      Object.assign(res, {
        writeHead(this: ServerResponse, status: number, ...rest: readonly unknown[]) {
          const headers = rest.find((one) => typeof one === 'object' && one !== null);
          for (const [name, value] of Object.entries(headers ?? {})) res.setHeader(name, value);
          res.statusCode = status;
          if (!keeps()) writeHead.call(res, status);
          return res;
        },
        flushHeaders() {
          if (!keeps()) flushHeaders.call(res);
        },
        write(chunk: unknown, ...rest: readonly unknown[]) {
          if (!keeps()) return Reflect.apply(write, res, [chunk, ...rest]);
          keep(chunk, rest);
          return true;
        },
        end(...all: readonly unknown[]) {
          if (!keeps()) return Reflect.apply(end, res, all);
          const [chunk, ...rest] = all;
          if (typeof chunk !== 'function') keep(chunk, rest);
          finish();
          const done = all.find((one) => typeof one === 'function');
          if (typeof done === 'function') res.once('finish', () => Reflect.apply(done, null, []));
          return res;
        },
      });

      function keep(chunk: unknown, rest: readonly unknown[]): void {
        const [encoding] = rest;
        if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, encoding === 'latin1' ? 'latin1' : 'utf8'));
        else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
        for (const one of rest) if (typeof one === 'function') process.nextTick(() => Reflect.apply(one, null, []));
      }

      function finish(): void {
        const html = Buffer.concat(chunks);
        Object.assign(res, { write, end, writeHead, flushHeaders });
        if (html.length > 0) res.setHeader('content-security-policy', policyOf(html.toString('utf8')));
        res.removeHeader('transfer-encoding');
        if (res.req.method !== 'HEAD' && html.length > 0) res.setHeader('content-length', html.length);
        end.call(res, html, 'utf8');
      }
    },
  };

  function policyOf(html: string): string {
    const scripts = [...new Set(inlineScripts(html))];
    const known = scripts.filter((script) => {
      const isKnown = knownScripts.has(script) || isPageData(script);
      if (!isKnown) onUnknown(script);
      return isKnown;
    });
    return pagePolicy(known.map((script) => `sha256-${createHash('sha256').update(script).digest('base64')}`));
  }
}
