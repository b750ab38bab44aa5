import { isUsageChunk, mayBeUsageChunk } from './usage-chunk.ts';

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export type UsageFilter = {
  /** Takes bytes of the stream and gives those that may go on, in order, none of them later than need be. */
  chunk(bytes: Uint8Array): readonly Uint8Array[];
  /** What is still held back when the stream ends. */
  end(): readonly Uint8Array[];
};

/**
 * Takes the usage chunk, which the client did not ask for, out of a chat or completion stream; every other byte passes
 * as it is. The bytes may be cut anywhere, lines may end in LF or CRLF. Held back is only the beginning of a line that
 * may yet turn out to be a usage chunk: of an event that was cut, its first hundred bytes or so.
 */
export function createUsageFilter(): UsageFilter {
  let held: Uint8Array | null = null;
  /** Inside a line that is no usage chunk and whose beginning has been given on. */
  let isInside = false;
  /** That beginning is the CR of an empty line. */
  let isReturnPassed = false;
  /** Here begins an event: there is no line before, or an empty one. */
  let isEventStart = true;
  /** A usage chunk was taken out that was an event of its own, and its empty line has to follow it. */
  let isSeparatorDue = false;

  const dropsLine = (line: Uint8Array): boolean => {
    const isEmpty = isInside ? isReturnPassed && line.length === 0 : isLineEmpty(line);
    const isDropped = !isInside && (isEmpty ? isSeparatorDue : isUsageChunk(line));
    isSeparatorDue = isDropped && !isEmpty && isEventStart;
    isEventStart = isEmpty;
    isInside = false;
    isReturnPassed = false;
    return isDropped;
  };

  const holdsBack = (partial: Uint8Array): boolean => {
    const isReturn = isLineEmpty(partial);
    const mayBeDropped = !isInside && (isReturn ? isSeparatorDue : mayBeUsageChunk(partial));
    isReturnPassed = isReturn && !isInside;
    isInside = !mayBeDropped;
    return mayBeDropped;
  };

  return {
    chunk(bytes) {
      const whole = held === null ? bytes : join(held, bytes);
      held = null;
      const passed: Uint8Array[] = [];
      let kept = 0;
      let at = 0;
      const passUpTo = (end: number): void => {
        if (end > kept) passed.push(whole.subarray(kept, end));
      };
      for (let newline = whole.indexOf(NEWLINE); newline >= 0; newline = whole.indexOf(NEWLINE, at)) {
        if (dropsLine(whole.subarray(at, newline))) {
          passUpTo(at);
          kept = newline + 1;
        }
        at = newline + 1;
      }
      if (at < whole.length && holdsBack(whole.subarray(at))) {
        passUpTo(at);
        held = whole.subarray(at);
      } else {
        passUpTo(whole.length);
      }
      return passed;
    },
    end() {
      const rest = held;
      held = null;
      return rest === null || isUsageChunk(rest) || isLineEmpty(rest) ? [] : [rest];
    },
  };
}

/** A line comes without its LF; one that ended in CRLF still has the CR. */
function isLineEmpty(line: Uint8Array): boolean {
  return line.length === 0 || (line.length === 1 && line[0] === RETURN);
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
