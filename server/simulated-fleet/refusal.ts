type RefusalInit = {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly schema?: boolean;
  readonly param?: string | null;
};

/**
 * A request that the engine turns down, as vLLM words it. `schema` marks what the web framework finds before vLLM's own
 * code runs: it has the OpenAI shape on every path.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly type: string;
  readonly schema: boolean;
  /** The field at fault, as the OpenAI shape names it. */
  readonly param: string | null;

  constructor(init: RefusalInit) {
    super(init.message);
    this.name = 'Refusal';
    this.status = init.status;
    this.type = init.type;
    this.schema = init.schema ?? false;
    this.param = init.param ?? null;
  }
}

export function badRequest(message: string, param: string | null = null): Refusal {
  return new Refusal({ status: 400, type: 'BadRequestError', message, param });
}

export function schemaError(message: string, param: string | null = null): Refusal {
  return new Refusal({ status: 400, type: 'Bad Request', message, schema: true, param });
}

export function unknownModel(name: string): Refusal {
  const message = `The model \`${name}\` does not exist.`;
  return new Refusal({ status: 404, type: 'NotFoundError', message, param: 'model' });
}

/** The two shapes an error body can have. */
export type ErrorShape = 'openai' | 'anthropic';

export function openAiErrorBody(type: string, message: string, status: number, param: string | null = null): object {
  return { error: { message, type, param, code: status } };
}

export function anthropicErrorBody(type: string, message: string): object {
  return { type: 'error', error: { type, message } };
}

export function errorBody(refusal: Refusal, shape: ErrorShape): object {
  return shape === 'anthropic' && !refusal.schema
    ? anthropicErrorBody(refusal.type, refusal.message)
    : openAiErrorBody(refusal.type, refusal.message, refusal.status, refusal.param);
}
