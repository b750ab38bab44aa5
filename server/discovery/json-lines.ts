const LINE_FEED = 10;
/** A line longer than this is not an event of a watch. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** The JSON values of a stream that has one a line. Throws where a line is not JSON, or is without end. */
export async function* jsonLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    if (rest.length > LONGEST_LINE) throw new Error('a line without end');
    if (!chunk.includes(LINE_FEED)) continue;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line);
  }
  if (rest.trim() !== '') yield JSON.parse(rest);
}
