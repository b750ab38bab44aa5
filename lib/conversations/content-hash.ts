import { equalsAscii, ScanError, skipString, skipValue, skipWhitespace } from '#lib/json/skip-value.ts';
import { arrayElements, type Span } from '#lib/json/top-level.ts';
import { ByteHasher, follow, type Hash, join } from './hash.ts';
import { type Field, fieldOf, objectFields, readFields, textInside } from './object-fields.ts';
import { lineOfText } from './prefix-hygiene.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;

const TAG = { text: 1, key: 2, value: 3, sequence: 4 } as const;

/** Deeper contents (of a tool result within a message there is one more) are hashed as they stand. */
const MAX_DEPTH = 4;

/** Moves from turn to turn, and never reaches the model. */
const UNSEEN = ['cache_control'] as const;
const CALL_UNSEEN = [...UNSEEN, 'index'] as const;
const ITEM_UNSEEN = [...UNSEEN, 'content', 'id', 'status'] as const;
/** Given to a message as a whole by the client or the API, or dropped from it on later turns. */
const MESSAGE_UNSEEN = [...ITEM_UNSEEN, 'role', 'type', 'reasoning', 'reasoning_content', 'reasoning_details'] as const;

const TEXTS = ['text', 'input_text', 'output_text'] as const;
/** Clients drop them from later turns, and the templates of most models do. */
const THOUGHTS = ['thinking', 'redacted_thinking', 'reasoning'] as const;

/** An object's fields, and the hash of the one called `content` (null: it has none). */
export type ReadObject = { readonly fields: readonly Field[]; readonly content: Hash | null; readonly end: number };

/**
 * Hashes what a prompt says, whatever the form it is given in: a string is the same as one text block, the order of
 * fields does not count, and fields that are null are as good as absent. Empty texts, thoughts and Claude Code's billing
 * line are left out. A text is hashed as it stands in the bytes, escapes included: a client writes it the same way each
 * time. Each byte is looked at once to find where things end, and once to be hashed.
 */
export class ContentHasher {
  readonly #bytes: Uint8Array;
  readonly #hasher: ByteHasher;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#hasher = new ByteHasher(bytes);
  }

  /** A string or a list of blocks; what of it is JSON. */
  content(span: Span): Hash {
    const sequence = newSequence();
    try {
      this.#contentAt(span.start, sequence);
    } catch (error) {
      if (!(error instanceof ScanError)) throw error;
    }
    return sequence;
  }

  /** The object whose brace is at `open`. Throws a ScanError where it is not JSON. */
  objectAt(open: number): ReadObject {
    const fields: Field[] = [];
    let content: Hash | null = null;
    const end = readFields(this.#bytes, open, fields, (key, from) => {
      if (this.#depth >= MAX_DEPTH || !this.#is(key, 'content')) return skipValue(this.#bytes, from);
      content = newSequence();
      return this.#contentAt(from, content);
    });
    return { fields, content, end };
  }

  /** A message of which the role is known: its content, and what it has beside: tool calls, the id of the call answered. */
  message({ fields, content }: ReadObject, hasRole: boolean): Hash {
    const all = content === null ? newSequence() : { ...content };
    follow(all, this.#fields(fields, hasRole ? MESSAGE_UNSEEN : ITEM_UNSEEN));
    return all;
  }

  /** An object by the fields that reach the model. */
  object(span: Span): Hash {
    return this.#fields(objectFields(this.#bytes, span), UNSEEN);
  }

  /** The bytes as they stand. */
  raw(span: Span): Hash {
    return this.#hasher.hash(span.start, span.end, TAG.value);
  }

  /** Takes the content that begins at `from` into `sequence`, and returns where it ends. */
  #contentAt(from: number, sequence: Hash): number {
    const bytes = this.#bytes;
    if (bytes[from] === QUOTE) return this.#textAt(from, sequence);
    if (bytes[from] !== OPEN_ARRAY) return skipValue(bytes, from);
    this.#depth += 1;
    let at = skipWhitespace(bytes, from + 1);
    while (bytes[at] !== CLOSE_ARRAY) {
      at = skipWhitespace(bytes, this.#blockAt(at, sequence));
      if (bytes[at] !== COMMA) break;
      at = skipWhitespace(bytes, at + 1);
    }
    this.#depth -= 1;
    if (bytes[at] !== CLOSE_ARRAY) throw new ScanError('expected a comma or the closing bracket', at);
    return at + 1;
  }

  #textAt(open: number, sequence: Hash): number {
    const end = skipString(this.#bytes, open);
    this.#text(sequence, { start: open + 1, end: end - 1 });
    return end;
  }

  #blockAt(from: number, sequence: Hash): number {
    if (this.#bytes[from] === QUOTE) return this.#textAt(from, sequence);
    if (this.#bytes[from] !== OPEN_OBJECT) return skipValue(this.#bytes, from);
    const { fields, content, end } = this.objectAt(from);
    const type = textInside(this.#bytes, fieldOf(this.#bytes, fields, 'type'));
    if (type !== null && this.#isOneOf(type, THOUGHTS)) return end;
    const text = type !== null && this.#isOneOf(type, TEXTS) ? fieldOf(this.#bytes, fields, 'text') : null;
    const inside = textInside(this.#bytes, text);
    if (inside !== null) this.#text(sequence, inside);
    else {
      const block = this.#fields(fields, content === null ? UNSEEN : [...UNSEEN, 'content']);
      if (content !== null) follow(block, content);
      follow(sequence, block);
    }
    return end;
  }

  #text(sequence: Hash, text: Span): void {
    const start = lineOfText(this.#bytes, text)?.end ?? text.start;
    if (start < text.end) follow(sequence, this.#hasher.hash(start, text.end, TAG.text));
  }

  #fields(fields: readonly Field[], unseen: readonly string[]): Hash {
    const all = { a: 0, b: 0 };
    for (const { key, value } of fields) {
      if (this.#isOneOf(key, unseen) || this.#is(value, 'null')) continue;
      const field = this.#hasher.hash(key.start, key.end, TAG.key);
      follow(field, this.#is(key, 'tool_calls') ? this.#calls(value) : this.raw(value));
      join(all, field);
    }
    return all;
  }

  #calls(span: Span): Hash {
    const calls = newSequence();
    for (const call of arrayElements(this.#bytes, span)) {
      follow(calls, this.#fields(objectFields(this.#bytes, call), CALL_UNSEEN));
    }
    return calls;
  }

  #isOneOf(text: Span, names: readonly string[]): boolean {
    for (const name of names) if (this.#is(text, name)) return true;
    return false;
  }

  #is(text: Span, name: string): boolean {
    return equalsAscii(this.#bytes, text.start, text.end, name);
  }
}

function newSequence(): Hash {
  return { a: TAG.sequence, b: TAG.sequence };
}
