import type { InputTool, InputToolChoice, PlainTool } from './request-schema.ts';

/** A tool as the client knows it. */
export type OfferedTool = {
  readonly kind: 'function' | 'custom';
  readonly name: string;
  /** Null for a plain one. */
  readonly namespace: string | null;
};

/** By the name that the model sees. */
export type OfferedTools = ReadonlyMap<string, OfferedTool>;

type ChatTool = { readonly type: 'function'; readonly function: object };

/** The one field of the function that stands for a custom tool, whose input is free text. */
export const CUSTOM_INPUT = 'input';

/** vLLM's way to name a tool of a namespace in the prompt, so that its answers are the same through either API. */
export function flatName(namespace: string | null | undefined, name: string): string {
  return namespace ? `${namespace}__${name}` : name;
}

/** The tools of a request in chat's nested form, and what the client calls each; null where two share a name. */
export function offerTools(tools: readonly InputTool[]): { chat: ChatTool[]; offered: OfferedTools } | null {
  const chat: ChatTool[] = [];
  const offered = new Map<string, OfferedTool>();
  for (const { namespace, tool } of tools.flatMap(plainTools)) {
    const name = flatName(namespace, tool.name);
    if (offered.has(name)) return null;
    offered.set(name, { kind: tool.type, name: tool.name, namespace });
    chat.push({ type: 'function', function: chatFunction(name, tool) });
  }
  return { chat, offered };
}

/**
 * What the client calls the tool that the model called. A model that forgot the namespace is understood where only one
 * tool can be meant; a name that was not offered is the client's to refuse.
 */
export function calledTool(offered: OfferedTools, name: string): OfferedTool {
  const tool = offered.get(name);
  if (tool !== undefined) return tool;
  const alike = [...offered.values()].filter((candidate) => candidate.name === name);
  return (alike.length === 1 ? alike[0] : undefined) ?? { kind: 'function', name, namespace: null };
}

/** `tool_choice` in chat's form. */
export function chatToolChoice(choice: InputToolChoice, offered: OfferedTools): unknown {
  if (typeof choice === 'string') return choice;
  const tool = choice.namespace ? { name: choice.name, namespace: choice.namespace } : calledTool(offered, choice.name);
  return { type: 'function', function: { name: flatName(tool.namespace, tool.name) } };
}

function plainTools(tool: InputTool): { namespace: string | null; tool: PlainTool }[] {
  switch (tool.type) {
    case 'function':
    case 'custom':
      return [{ namespace: null, tool }];
    case 'namespace':
      return tool.tools.map((inner) => ({ namespace: tool.name, tool: inner }));
    case 'web_search':
      return [];
  }
}

function chatFunction(name: string, tool: PlainTool): object {
  const described = { name, ...(tool.description ? { description: tool.description } : {}) };
  if (tool.type === 'custom') return { ...described, parameters: CUSTOM_PARAMETERS };
  return {
    ...described,
    ...(tool.parameters === undefined || tool.parameters === null ? {} : { parameters: tool.parameters }),
    ...(typeof tool.strict === 'boolean' ? { strict: tool.strict } : {}),
  };
}

const CUSTOM_PARAMETERS = {
  type: 'object',
  properties: { [CUSTOM_INPUT]: { type: 'string' } },
  required: [CUSTOM_INPUT],
  additionalProperties: false,
};
