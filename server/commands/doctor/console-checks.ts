import { z } from 'zod';
import { bad, type Finding, ok, reasonOf, skipped, warn } from './finding.ts';
import { authorization, type ProbeTarget } from './probe.ts';

/** Enough tokens that a stream takes a while on any engine. */
const STREAM_TOKENS = 64;
/** A stream shorter than this tells nothing. */
const LEAST_MS = 200;
const PATIENCE_MS = 120_000;

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Sends a stream through the address that clients use, and sees whether it arrives as it is made. */
export async function checkConsole(target: ProbeTarget): Promise<readonly Finding[]> {
  const check = `stream through ${target.url}`;
  try {
    const model = await firstModel(target);
    if (model === null) return [skipped(check, 'It serves no model yet.')];
    return await checkStream(target, model, check);
  } catch (error) {
    return [bad(check, reasonOf(error), 'See that LM Warden, and what stands in front of it, answer at this address.')];
  }
}

async function firstModel({ url, apiKey }: ProbeTarget): Promise<string | null> {
  const answer = await fetch(`${url}/v1/models`, {
    headers: authorization(apiKey),
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`GET ${url}/v1/models was answered ${answer.status}.`);
  return modelList.parse(await answer.json()).data[0]?.id ?? null;
}

async function checkStream({ url, apiKey }: ProbeTarget, model: string, check: string): Promise<readonly Finding[]> {
  const started = performance.now();
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization(apiKey) },
    body: JSON.stringify({
      model,
      stream: true,
      max_tokens: STREAM_TOKENS,
      messages: [{ role: 'user', content: 'Count slowly from one to fifty.' }],
    }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!answer.ok || answer.body === null) {
    return [bad(check, `A turn was answered ${answer.status}.`, 'The answer itself, and the Requests page, say why.')];
  }
  const arrivals: number[] = [];
  for await (const _chunk of answer.body) arrivals.push(performance.now());
  const findings = [routed(answer.headers, check)];
  const [first = started] = arrivals;
  const wholeMs = (arrivals.at(-1) ?? started) - started;
  const spreadMs = (arrivals.at(-1) ?? started) - first;
  if (wholeMs < LEAST_MS) findings.push(skipped(check, 'The answer was too short to see how it arrives.'));
  else if (spreadMs < wholeMs / 20) findings.push(buffered(check, arrivals.length));
  else findings.push(ok(check, `It arrived in ${arrivals.length} parts over ${Math.round(spreadMs)} ms.`));
  return findings;
}

function routed(headers: Headers, check: string): Finding {
  const decision = headers.get('x-warden-decision');
  if (decision !== null) return ok(check, `The turn was ${decision.replace('_', ' ')}.`);
  return warn(
    check,
    'The answer has no x-warden-decision header.',
    'Is it LM Warden that answers there? A proxy in front should let response headers through.',
  );
}

function buffered(check: string, parts: number): Finding {
  return bad(
    check,
    `A stream arrived all at once, at its end (in ${parts} parts).`,
    'A proxy in front collects answers. nginx: `proxy_buffering off;` and `proxy_http_version 1.1;` for /v1; others have a like switch. Compression of text/event-stream must be off too.',
  );
}
