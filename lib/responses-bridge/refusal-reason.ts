type Fields = Readonly<Record<string, unknown>>;

/**
 * Why a chat completion cannot answer this `/v1/responses` request, in one sentence for the request's row in the
 * console; null where nothing speaks against it. Reads the body loosely: what has no known form is left to the schema.
 */
export function refusalReason(body: Fields): string | null {
  return (
    stateReason(body) ??
    includeReason(body.include) ??
    first(list(body.tools), toolReason) ??
    toolChoiceReason(body.tool_choice) ??
    formatReason(fields(fields(body.text).format).type) ??
    first(list(body.input), itemReason) ??
    unfinishedReason(list(body.input).at(-1))
  );
}

function stateReason(body: Fields): string | null {
  if (isSet(body.previous_response_id)) return 'It continues a stored response (previous_response_id).';
  if (isSet(body.previous_response))
    return 'It continues an earlier response that it carries along (previous_response).';
  if (isSet(body.previous_input_messages)) return 'It carries messages in the engine’s own form.';
  if (isSet(body.conversation)) return 'It belongs to a conversation that the engine stores.';
  if (body.background === true) return 'It is to run in the background, as a stored response.';
  if (isSet(body.prompt)) return 'It uses a prompt that is stored elsewhere.';
  // The API's default is to store, so a client that says nothing may come back with previous_response_id.
  if (body.store !== false) return 'The response is to be stored (store is not false).';
  if (body.truncation === 'auto') return 'The engine is to shorten the conversation itself (truncation: auto).';
  if (list(body.context_management).length > 0) return 'The engine is to manage the context itself.';
  if (body.enable_response_messages === true) return 'It asks for messages in the engine’s own form.';
  return null;
}

/** Codex always asks for encrypted reasoning; vLLM has none to give, with or without us. */
function includeReason(include: unknown): string | null {
  return first(list(include), (name) =>
    name === 'reasoning.encrypted_content' ? null : `It asks to include ${shown(name)}, which chat does not give.`,
  );
}

const PLAIN_TOOLS: readonly unknown[] = ['function', 'custom', 'namespace', 'web_search'];

function toolReason(tool: unknown): string | null {
  const { type, tools, format } = fields(tool);
  if (!PLAIN_TOOLS.includes(type)) return `It offers the built-in tool ${shown(type)}.`;
  if (type === 'custom' && fields(format).type === 'grammar') {
    return `The custom tool ${shown(fields(tool).name)} wants its input to follow a grammar.`;
  }
  return type === 'namespace' ? first(list(tools), toolReason) : null;
}

function toolChoiceReason(choice: unknown): string | null {
  const { type } = fields(choice);
  if (type === undefined || type === 'function' || type === 'custom') return null;
  return `It leaves the model a choice of tools that chat cannot express (${shown(type)}).`;
}

function formatReason(type: unknown): string | null {
  const isKnown = type === undefined || type === 'text' || type === 'json_object' || type === 'json_schema';
  return isKnown ? null : `It wants the answer in the format ${shown(type)}.`;
}

const CALL_OUTPUTS: readonly unknown[] = ['function_call_output', 'custom_tool_call_output'];
const OTHER_ITEMS: readonly unknown[] = ['reasoning', 'function_call', 'custom_tool_call'];

function itemReason(item: unknown): string | null {
  const { type = 'message', role, content, output } = fields(item);
  if (type === 'message') {
    if (role === 'assistant' && list(content).some((part) => fields(part).type === 'input_image')) {
      return 'Its input has an image in an answer of the model.';
    }
    return first(list(content), partReason);
  }
  if (CALL_OUTPUTS.includes(type)) return first(list(output), partReason);
  if (OTHER_ITEMS.includes(type)) return null;
  if (type === 'item_reference') return 'Its input refers to a stored item.';
  return `Its input has an item of type ${shown(type)}.`;
}

const TEXT_PARTS: readonly unknown[] = ['input_text', 'output_text', 'refusal'];

function partReason(part: unknown): string | null {
  const { type, image_url } = fields(part);
  if (TEXT_PARTS.includes(type)) return null;
  if (type !== 'input_image') return `Its input has content of type ${shown(type)}.`;
  return typeof image_url === 'string' ? null : 'Its input has an image that is stored elsewhere.';
}

/** vLLM goes on writing such a message; a chat completion would begin the next one. */
function unfinishedReason(last: unknown): string | null {
  const { type = 'message', role, status } = fields(last);
  const isOwn = type === 'reasoning' || (type === 'message' && role === 'assistant');
  const isUnfinished = status === 'in_progress' || status === 'incomplete';
  return isOwn && isUnfinished ? 'Its last message is one that the model is to go on with.' : null;
}

function first(values: readonly unknown[], reason: (value: unknown) => string | null): string | null {
  for (const value of values) {
    const found = reason(value);
    if (found !== null) return found;
  }
  return null;
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A name out of the request, short enough for a sentence. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 60) : 'without a name';
}
