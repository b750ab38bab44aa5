import type { Browser } from 'playwright/test';
import { z } from 'zod';

const reply = z.object({ id: z.number(), result: z.unknown().optional(), error: z.unknown().optional() });
const requestSent = z.object({
  method: z.literal('Network.requestWillBeSent'),
  params: z.object({ request: z.object({ url: z.string() }) }),
});
const evaluated = z.object({ result: z.object({ value: z.unknown() }) });

export type RawTab = {
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** The addresses it has asked for since the last call. */
  takeRequests(): string[];
  /** In front of the other tabs of its window, which are hidden then. */
  toFront(): Promise<void>;
};

/**
 * Tabs of one window, of which all but the one in front are hidden. Every page of Playwright's own believes that it is
 * seen: these are made behind its back, in a context that it does not know.
 */
export async function openWindow(browser: Browser) {
  const devtools = await browser.newBrowserCDPSession();
  const { browserContextId } = await devtools.send('Target.createBrowserContext');
  const heard = new Map<string, (message: string) => void>();
  devtools.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => heard.get(sessionId)?.(message));

  async function open(url: string): Promise<RawTab> {
    const { targetId } = await devtools.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await devtools.send('Target.attachToTarget', { targetId, flatten: false });
    const waiting = new Map<number, (result: unknown) => void>();
    const requests: string[] = [];
    heard.set(sessionId, (message) => {
      const json: unknown = JSON.parse(message);
      const answer = reply.safeParse(json).data;
      if (answer !== undefined) waiting.get(answer.id)?.(answer.result);
      const sent = requestSent.safeParse(json).data;
      if (sent !== undefined) requests.push(sent.params.request.url);
    });
    let last = 0;
    const call = (method: string, params: object) =>
      new Promise<unknown>((resolve, reject) => {
        last += 1;
        waiting.set(last, resolve);
        const message = JSON.stringify({ id: last, method, params });
        devtools.send('Target.sendMessageToTarget', { sessionId, message }).catch(reject);
      });
    await call('Network.enable', {});
    await call('Page.navigate', { url });
    return {
      evaluate: async (expression) =>
        evaluated.parse(await call('Runtime.evaluate', { expression, returnByValue: true })).result.value,
      takeRequests: () => requests.splice(0),
      toFront: async () => void (await devtools.send('Target.activateTarget', { targetId })),
    };
  }
  return {
    open,
    close: async () => {
      await devtools.send('Target.disposeBrowserContext', { browserContextId });
      await devtools.detach();
    },
  };
}
