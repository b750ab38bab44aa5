import type { PromptSpans } from '#lib/conversations/prompt-change.ts';
import { arrayLength, parseSpan, type Span, scanTopLevel } from '#lib/json/top-level.ts';
import type { ApiKind } from '#lib/routing/types.ts';
import { askForUsage, type Edit } from '#lib/usage/ask-for-usage.ts';

/** What the router needs of a JSON body. Fields that are absent, or of another type than expected, are null. */
export type RequestFacts = {
  readonly model: string;
  /** Where the model's name stands in the body, to put another in its place. */
  readonly modelSpan: Span;
  readonly metadataUserId: string | null;
  readonly promptCacheKey: string | null;
  readonly user: string | null;
  readonly toolCount: number | null;
  readonly hasStreamKey: boolean;
  readonly hasOutputFormat: boolean;
  /** What makes the engine add usage to a stream whose client did not ask for it; null where there is no need. */
  readonly usageEdit: Edit | null;
  readonly maxTokens: number | null;
  /** Where the parts of the prompt stand. */
  readonly spans: PromptSpans;
};

export type FactsResult =
  | { readonly ok: true; readonly facts: RequestFacts }
  | { readonly ok: false; readonly message: string; readonly param?: string };

const WANTED = [
  'model',
  'stream',
  'stream_options',
  'metadata',
  'user',
  'prompt_cache_key',
  'tools',
  'output_config',
  'max_tokens',
  'messages',
  'input',
  'system',
  'instructions',
] as const;

/**
 * Reads what routing needs from a request body in one pass over its bytes, without building it. A body that is not a
 * JSON object, or names no model, is refused here; everything else in it is the engine's to judge.
 */
export function readFacts(body: Buffer, api: ApiKind): FactsResult {
  const scan = scanTopLevel(body, WANTED);
  if (!scan.ok) return { ok: false, message: `The body is not a JSON object: ${scan.message} (at byte ${scan.at}).` };
  const { fields } = scan;
  const value = (name: (typeof WANTED)[number]): unknown => {
    const span = fields.get(name);
    return span === undefined ? undefined : parsed(body, span);
  };
  const text = (name: (typeof WANTED)[number]): string | null => string(value(name));

  const modelSpan = fields.get('model');
  const model = text('model');
  if (modelSpan === undefined || model === null || model === '') {
    return { ok: false, message: 'The body names no model: give "model" as a string.', param: 'model' };
  }
  const tools = fields.get('tools');
  const messages = fields.get(api === 'responses' ? 'input' : 'messages');
  return {
    ok: true,
    facts: {
      model,
      modelSpan,
      metadataUserId: string(property(value('metadata'), 'user_id')),
      promptCacheKey: text('prompt_cache_key'),
      user: text('user'),
      toolCount: tools === undefined ? null : arrayLength(body, tools),
      hasStreamKey: fields.has('stream'),
      usageEdit: api === 'chat' || api === 'completions' ? askForUsage(body, fields) : null,
      hasOutputFormat: isSet(property(value('output_config'), 'format')),
      maxTokens: number(value('max_tokens')),
      spans: { messages, system: fields.get(api === 'responses' ? 'instructions' : 'system'), tools },
    },
  };
}

/** Undefined where the value is not JSON after all: the engine says so better than we could. */
function parsed(body: Buffer, span: Span): unknown {
  try {
    return parseSpan(body, span);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

const string = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** The body with the changes made, which must not overlap; every other byte stays as it is. */
export function withEdits(body: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return body;
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(body.subarray(at, start), Buffer.from(text));
    at = end;
  }
  return Buffer.concat([...parts, body.subarray(at)]);
}

/** The `model` field of a form with an audio file; null where there is none. Throws a TypeError where it is no form. */
export async function modelOfForm(body: Buffer, contentType: string): Promise<string | null> {
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  return string(form.get('model'));
}
