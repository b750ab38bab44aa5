import { CUSTOM_INPUT } from './offered-tools.ts';

const OPENING = new RegExp(`^\\s*\\{\\s*"${CUSTOM_INPUT}"\\s*:\\s*"`);
const HIGH_SURROGATE = /^\\u[dD][89abAB]/;

/**
 * Reads the free text of a custom tool's call out of the arguments `{"input":"…"}` that the model writes for it, as
 * they come. Arguments of any other form are the input as they are.
 */
export class CustomInput {
  /** What is not decoded yet. */
  private rest = '';
  private state: 'before' | 'inside' | 'after' = 'before';

  /** Takes a piece of the arguments and gives what it adds to the input. */
  add(piece: string): string {
    if (this.state === 'after') return '';
    this.rest += piece;
    if (this.state === 'before') {
      const opening = OPENING.exec(this.rest);
      if (opening === null) return '';
      this.rest = this.rest.slice(opening[0].length);
      this.state = 'inside';
    }
    return this.read();
  }

  /** What is left at the end. */
  end(): string {
    return this.state === 'before' ? this.rest : '';
  }

  /** Decodes up to the string's end or to an escape that is not complete yet. */
  private read(): string {
    let end = 0;
    while (end < this.rest.length) {
      if (this.rest[end] === '"') {
        this.state = 'after';
        break;
      }
      const length = this.rest[end] === '\\' ? escapeLength(this.rest, end) : 1;
      if (end + length > this.rest.length) break;
      end += length;
    }
    const text = decode(this.rest.slice(0, end));
    this.rest = this.rest.slice(end);
    return text;
  }
}

/** The two escapes of a character beyond U+FFFF count as one: half of it is no text that JSON readers take. */
function escapeLength(text: string, at: number): number {
  if (text[at + 1] !== 'u') return 2;
  const isPair = HIGH_SURROGATE.test(text.slice(at, at + 4)) && (text[at + 6] ?? '\\') === '\\';
  return isPair ? 12 : 6;
}

function decode(encoded: string): string {
  // Models write line breaks into JSON strings as they are, which JSON does not allow.
  const strict = encoded.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
  try {
    return String(JSON.parse(`"${strict}"`));
  } catch (error) {
    // Not JSON: the tool gets what the model wrote.
    if (error instanceof SyntaxError) return encoded;
    throw error;
  }
}
