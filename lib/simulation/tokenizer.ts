import { TokenBuffer, type TokenIds } from './tokens.ts';

/** Characters of one token: near what a real vocabulary needs for English and code. */
export const TOKEN_CHARACTERS = 4;

/** Ids of the marks that a chat template sets. Pieces of text have ids below 2^29. */
export const MARKS = {
  messageStart: 0x4000_0001,
  messageEnd: 0x4000_0002,
  newline: 0x4000_0003,
  tools: 0x4000_0004,
  toolCall: 0x4000_0005,
  toolCallEnd: 0x4000_0006,
  toolResult: 0x4000_0007,
  image: 0x4000_0008,
} as const;

const HASHED = 0x1000_0000;

/**
 * Appends the tokens of a text: pieces of four characters, so a text that was generated piece by piece encodes to the
 * same ids again. An ASCII piece is its four 7-bit codes side by side; any other is a hash of them.
 */
export function encodeText(text: string, into: TokenBuffer): void {
  const { length } = text;
  for (let start = 0; start < length; start += TOKEN_CHARACTERS) {
    const end = Math.min(start + TOKEN_CHARACTERS, length);
    let id = 0;
    let hash = 0x811c9dc5;
    let isAscii = true;
    for (let index = start; index < end; index++) {
      const code = text.charCodeAt(index);
      if (code > 127) isAscii = false;
      id |= (code & 127) << (7 * (index - start));
      hash = Math.imul(hash ^ code, 0x01000193);
    }
    into.push(isAscii ? id : HASHED | (hash & (HASHED - 1)));
  }
}

/** The tokens of a bare text, as `/v1/completions` and `/tokenize` need them. */
export function textTokens(text: string): TokenIds {
  const buffer = new TokenBuffer();
  encodeText(text, buffer);
  return buffer.toTokenIds();
}

/** Text of token ids. What is not an ASCII piece comes back as U+FFFD: this tokenizer keeps no table. */
export function decodeTokens(tokens: ArrayLike<number>): string {
  let text = '';
  for (let index = 0; index < tokens.length; index++) {
    const id = tokens[index] ?? 0;
    if (id >= HASHED) {
      text += '\ufffd';
      continue;
    }
    for (let rest = id; rest > 0; rest >>>= 7) text += String.fromCharCode(rest & 127);
  }
  return text;
}
