import { canonicalJson } from './chat-template.ts';

/** A tool call that a prompt asks the simulated model to make. `input` is JSON text. */
export type MarkedCall = { readonly name: string; readonly input: string };

/** Clients put notes to the model into a user's message between these tags; the user did not write them. */
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;

const OPENING = /\[\[tool:([\w.:/-]+)\s*/g;

/**
 * The calls named by `[[tool:NAME {json}]]` in what a user wrote, in order; the input may be left out and may itself hold markers
 * inside its strings. A marker that is not closed or whose input is not JSON is plain text.
 */
export function findMarkedCalls(message: string): MarkedCall[] {
  const text = message.replace(REMINDER, '');
  const calls: MarkedCall[] = [];
  OPENING.lastIndex = 0;
  for (let opening = OPENING.exec(text); opening !== null; opening = OPENING.exec(text)) {
    const start = opening.index + opening[0].length;
    const end = text[start] === '{' ? objectEnd(text, start) : start;
    if (end === null || !/^\s*\]\]/.test(text.slice(end, end + 16))) continue;
    const input = end === start ? '{}' : text.slice(start, end);
    if (!isJson(input)) continue;
    calls.push({ name: opening[1] ?? '', input: canonicalJson(input) });
    OPENING.lastIndex = end;
  }
  return calls;
}

/** Index behind the brace that closes the one at `start`; null when it is never closed. */
function objectEnd(text: string, start: number): number | null {
  let depth = 0;
  let isString = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (isString) {
      if (character === '\\') index += 1;
      else if (character === '"') isString = false;
      continue;
    }
    if (character === '"') isString = true;
    else if (character === '{') depth += 1;
    else if (character === '}' && --depth === 0) return index + 1;
  }
  return null;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
