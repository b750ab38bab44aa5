/** Texts of a synthetic coding agent. Deterministic in `random`, so that a run can be repeated. */
export type SessionScript = {
  readonly system: string;
  /** The user's side of turn `turn`, counted from 0. */
  message(turn: number): string;
};

const WORDS =
  'read write open parse route cache block token queue batch merge index model replica prefix stream buffer retry error test file path module import export value field state event timer socket header body chunk scale limit count share home turn agent review refactor trace patch build'.split(
    ' ',
  );

/** About four characters a token, as English and code have with common tokenizers. */
const CHARACTERS_PER_TOKEN = 4;
const SYSTEM_TOKENS = 3500;
const FIRST_MESSAGE_TOKENS = 6000;
const FURTHER_MESSAGE_TOKENS = 400;

/** The same for all sessions, as an agent's system prompt and tools are (3.5k tokens, as in the reference workload). */
const SYSTEM = text(SYSTEM_TOKENS, seeded(1));

/** A session of the reference workload: a shared system prompt, a long unique first message, short further ones. */
export function sessionScript(random: () => number): SessionScript {
  return {
    system: SYSTEM,
    message: (turn) => text(turn === 0 ? FIRST_MESSAGE_TOKENS : FURTHER_MESSAGE_TOKENS, random),
  };
}

function text(tokens: number, random: () => number): string {
  const words: string[] = [];
  for (let length = 0; length < tokens * CHARACTERS_PER_TOKEN; ) {
    const word = WORDS[Math.floor(random() * WORDS.length)] ?? 'word';
    words.push(word);
    length += word.length + 1;
  }
  return words.join(' ');
}

/** Mulberry32: small, fast, and good enough for texts and pauses. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
