export type Status = 'in_progress' | 'completed' | 'incomplete';
export type Part =
  | { readonly type: 'output_text'; text: string; readonly annotations: never[]; readonly logprobs: never[] }
  | { readonly type: 'reasoning_text'; text: string };
export type TextItem =
  | { readonly id: string; readonly type: 'message'; readonly role: 'assistant'; status: Status; content: Part[] }
  | { readonly id: string; readonly type: 'reasoning'; readonly summary: never[]; content: Part[]; status: Status };
export type CallItem = {
  readonly id: string;
  readonly type: 'function_call';
  status: Status;
  readonly call_id: string;
  readonly name: string;
  arguments: string;
  readonly namespace?: string;
};
export type CustomItem = {
  readonly id: string;
  readonly type: 'custom_tool_call';
  status: Status;
  readonly call_id: string;
  readonly name: string;
  input: string;
  readonly namespace?: string;
};

export type OutputItem = TextItem | CallItem | CustomItem;
