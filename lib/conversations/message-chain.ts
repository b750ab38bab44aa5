import { equalsAscii, ScanError, skipValue, skipWhitespace } from '#lib/json/skip-value.ts';
import type { Span } from '#lib/json/top-level.ts';
import type { ApiKind } from '#lib/routing/types.ts';
import { ContentHasher } from './content-hash.ts';
import { follow, type Hash } from './hash.ts';
import { type Field, fieldOf, textInside } from './object-fields.ts';

/** A message of the chain. `bytes`: its size in the body, that of the system messages and thoughts behind it included. */
export type ChainMessage = {
  readonly a: number;
  readonly b: number;
  readonly bytes: number;
  /** Written by the model: an answer or a call of a tool. */
  readonly byModel: boolean;
  /** Its place in the request's own list, from 0. */
  readonly position: number;
};

/**
 * The messages of a request as hashes, without its system messages: those are the same for all conversations of a
 * client, and say nothing of which one this is. `systemPrompt` is the hash of those that come first (null: none do),
 * `systemEntries` counts those that come later.
 */
export type MessageChain = {
  readonly messages: readonly ChainMessage[];
  readonly systemPrompt: Hash | null;
  readonly systemEntries: number;
};

/**
 * Reads `messages` (or `input` of /v1/responses, which may be a string) at `span` into hashes, from the bytes. Null
 * where the API knows no conversations.
 */
export function readChain(bytes: Uint8Array, span: Span, api: ApiKind): MessageChain | null {
  if (api !== 'messages' && api !== 'chat' && api !== 'responses') return null;
  const reader = new ChainReader(bytes);
  try {
    if (bytes[span.start] === QUOTE) reader.addText(span);
    else if (bytes[span.start] === OPEN_ARRAY) reader.addAll(span.start);
  } catch (error) {
    // What comes before the fault is the conversation all the same; the engine will refuse the body.
    if (!(error instanceof ScanError)) throw error;
  }
  return reader.chain();
}

/** Of a longer conversation only the beginning is read; the sizes of agents' conversations lie in the hundreds. */
const MAX_MESSAGES = 4096;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;

const ROLE_TAG = { user: 11, assistant: 12, tool: 13, system: 14, other: 15 } as const;
type Role = keyof typeof ROLE_TAG;

class ChainReader {
  readonly #bytes: Uint8Array;
  readonly #contents: ContentHasher;
  readonly #messages: { -readonly [Name in keyof ChainMessage]: ChainMessage[Name] }[] = [];
  #position = 0;
  #systemPrompt: Hash | null = null;
  #systemEntries = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#contents = new ContentHasher(bytes);
  }

  addText(span: Span): void {
    const content = this.#contents.content(span);
    this.#push('user', this.#contents.message({ fields: [], content, end: span.end }, true), span);
  }

  addAll(open: number): void {
    let at = skipWhitespace(this.#bytes, open + 1);
    while (this.#bytes[at] !== CLOSE_ARRAY && this.#messages.length < MAX_MESSAGES) {
      at = skipWhitespace(this.#bytes, this.#addAt(at));
      if (this.#bytes[at] !== COMMA) return;
      at = skipWhitespace(this.#bytes, at + 1);
    }
  }

  #addAt(start: number): number {
    if (this.#bytes[start] !== OPEN_OBJECT) {
      const span = { start, end: skipValue(this.#bytes, start) };
      this.#push('other', this.#contents.raw(span), span);
      return span.end;
    }
    const read = this.#contents.objectAt(start);
    const span = { start, end: read.end };
    const roleName = textInside(this.#bytes, fieldOf(this.#bytes, read.fields, 'role'));
    const role = roleName === null ? this.#roleOfItem(read.fields) : this.#role(roleName);
    if (role === 'thought') this.#passOver(span);
    else if (role === 'system') this.#addSystem(span, read.content ?? { a: 0, b: 0 });
    else this.#push(role, this.#contents.message(read, roleName !== null), span);
    return span.end;
  }

  chain(): MessageChain {
    return { messages: this.#messages, systemPrompt: this.#systemPrompt, systemEntries: this.#systemEntries };
  }

  #push(role: Role, hash: Hash, span: Span): void {
    follow(hash, { a: ROLE_TAG[role], b: ROLE_TAG[role] });
    const bytes = span.end - span.start;
    this.#messages.push({ ...hash, bytes, byModel: role === 'assistant', position: this.#position });
    this.#position += 1;
  }

  #addSystem(span: Span, hash: Hash): void {
    if (this.#messages.length > 0) this.#systemEntries += 1;
    else if (this.#systemPrompt === null) this.#systemPrompt = hash;
    else follow(this.#systemPrompt, hash);
    this.#passOver(span);
  }

  #passOver(span: Span): void {
    const before = this.#messages.at(-1);
    if (before !== undefined) before.bytes += span.end - span.start;
    this.#position += 1;
  }

  #role(name: Span): Role {
    if (this.#is(name, 'user')) return 'user';
    if (this.#is(name, 'assistant')) return 'assistant';
    if (this.#is(name, 'tool') || this.#is(name, 'function')) return 'tool';
    return this.#is(name, 'system') || this.#is(name, 'developer') ? 'system' : 'other';
  }

  /** The items of /v1/responses that are no messages have a type instead of a role. */
  #roleOfItem(fields: readonly Field[]): Role | 'thought' {
    const type = textInside(this.#bytes, fieldOf(this.#bytes, fields, 'type'));
    if (type === null) return 'other';
    if (this.#is(type, 'reasoning')) return 'thought';
    if (this.#endsWith(type, '_call')) return 'assistant';
    return this.#endsWith(type, '_output') ? 'tool' : 'other';
  }

  #is(text: Span, name: string): boolean {
    return equalsAscii(this.#bytes, text.start, text.end, name);
  }

  #endsWith(text: Span, end: string): boolean {
    return text.end - text.start >= end.length && equalsAscii(this.#bytes, text.end - end.length, text.end, end);
  }
}
