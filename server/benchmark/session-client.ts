import { Agent, request } from 'undici';
import { readAnswerEvent } from '#lib/benchmark/answer-event.ts';
import type { LiveTurn } from '#lib/benchmark/live-conversation.ts';
import type { BenchmarkPlan } from '#lib/contract/benchmark.ts';
import { NO_USAGE, type Usage } from '#lib/usage/usage.ts';

export type ClientOptions = {
  /** Without `/v1`. */
  readonly baseUrl: () => string;
  readonly model: string;
  readonly protocol: BenchmarkPlan['protocol'];
  /** Null where the router asks for none. */
  readonly apiKey: string | null;
};

/** What a client sees of an answer as it comes: when generated tokens arrived, in the clock's ms. */
export type TurnWatch = {
  readonly now: () => number;
  readonly generated: (at: number) => void;
};

export type TurnAnswer = { readonly text: string; readonly usage: Usage; readonly decision: string | null };

export type SessionClient = {
  /** Sends one turn and reads its whole answer. Throws where it was refused or broke off, and when `signal` fires. */
  send(sessionId: string, turn: LiveTurn, watch: TurnWatch, signal: AbortSignal): Promise<TurnAnswer>;
  close(): Promise<void>;
};

/** Synthetic coding agents over HTTP: streamed `/v1/messages` or chat completions, one session id each. */
export function createSessionClient({ baseUrl, model, protocol, apiKey }: ClientOptions): SessionClient {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const path = protocol === 'messages' ? '/v1/messages' : '/v1/chat/completions';
  return {
    async send(sessionId, turn, watch, signal) {
      const answer = await request(`${baseUrl()}${path}`, {
        method: 'POST',
        dispatcher: agent,
        signal,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'lm-warden-benchmark/1.0',
          'x-session-id': sessionId,
          ...(protocol === 'messages' ? { 'anthropic-version': '2023-06-01' } : {}),
          ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify(protocol === 'messages' ? messagesBody(model, turn) : chatBody(model, turn)),
      });
      if (answer.statusCode !== 200) {
        const text = await answer.body.text();
        throw new Error(`status ${answer.statusCode}: ${text.slice(0, 200)}`);
      }
      const decision = answer.headers['x-warden-decision'];
      return { ...(await readAnswer(answer.body, watch)), decision: typeof decision === 'string' ? decision : null };
    },
    close: () => agent.destroy(),
  };
}

function messagesBody(model: string, { system, messages, maxTokens }: LiveTurn): object {
  return { model, max_tokens: maxTokens, stream: true, ...(system === '' ? {} : { system }), messages };
}

/** `ignore_eos` is vLLM's: every answer then has its full length, and both settings get equal work. */
function chatBody(model: string, { system, messages, maxTokens }: LiveTurn): object {
  return {
    model,
    max_tokens: maxTokens,
    ignore_eos: true,
    stream: true,
    stream_options: { include_usage: true },
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...messages],
  };
}

const DATA = 'data: ';

async function readAnswer(body: AsyncIterable<Uint8Array>, watch: TurnWatch): Promise<Omit<TurnAnswer, 'decision'>> {
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let usage = NO_USAGE;
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith(DATA) || line.startsWith(`${DATA}[DONE]`)) continue;
      const event = readAnswerEvent(JSON.parse(line.slice(DATA.length)));
      if (event.isError) throw new Error(`the answer broke off: ${line.slice(DATA.length, 200)}`);
      if (event.usage !== null) usage = merged(usage, event.usage);
      if (event.text === null) continue;
      watch.generated(watch.now());
      texts.push(event.text);
    }
  }
  return { text: texts.join(''), usage };
}

/** Later events know more; what one does not say stays as it was. */
function merged(before: Usage, after: Usage): Usage {
  return {
    promptTokens: after.promptTokens ?? before.promptTokens,
    cachedTokens: after.cachedTokens ?? before.cachedTokens,
    completionTokens: after.completionTokens ?? before.completionTokens,
  };
}
