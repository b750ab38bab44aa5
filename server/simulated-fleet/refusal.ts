/**
 * A request that the engine turns down, as vLLM words it. `schema` marks what the web framework finds before vLLM's own
 * code runs: it has the OpenAI shape on every path.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly schema: boolean;

  constructor(init: { status: number; type: string; message: string; schema?: boolean }) {
    super(init.message);
    this.name = 'Refusal';
    this.status = init.status;
    this.type = init.type;
    this.schema = init.schema ?? false;
  }
}

export function badRequest(message: string): Refusal {
  return new Refusal({ status: 400, type: 'BadRequestError', message });
}

export function schemaError(message: string): Refusal {
  return new Refusal({ status: 400, type: 'Bad Request', message, schema: true });
}

export function unknownModel(name: string): Refusal {
  return new Refusal({ status: 404, type: 'NotFoundError', message: `The model \`${name}\` does not exist.` });
}

/** The two shapes an error body can have. */
export type ErrorShape = 'openai' | 'anthropic';

export function openAiErrorBody(type: string, message: string, status: number): object {
  return { error: { message, type, param: null, code: status } };
}

export function anthropicErrorBody(type: string, message: string): object {
  return { type: 'error', error: { type, message } };
}

export function errorBody(refusal: Refusal, shape: ErrorShape): object {
  return shape === 'anthropic' && !refusal.schema
    ? anthropicErrorBody(refusal.type, refusal.message)
    : openAiErrorBody(refusal.type, refusal.message, refusal.status);
}
