const FIELD = 'data:';

/**
 * Reads the data of server-sent events out of bytes that may be cut anywhere; lines end in LF or CRLF. Everything but
 * `data` is left out, as is an event whose end has not come.
 */
export class EventDataReader {
  private readonly decoder = new TextDecoder();
  private rest = '';
  private data: string[] = [];

  /** The data of the events that end in these bytes. */
  read(bytes: Uint8Array): string[] {
    const text = this.rest + this.decoder.decode(bytes, { stream: true });
    const events: string[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.line(text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end), events);
      start = end + 1;
    }
    this.rest = text.slice(start);
    return events;
  }

  private line(line: string, events: string[]): void {
    if (line === '') {
      if (this.data.length > 0) events.push(this.data.join('\n'));
      this.data = [];
    } else if (line.startsWith(FIELD)) {
      this.data.push(line.slice(line[FIELD.length] === ' ' ? FIELD.length + 1 : FIELD.length));
    }
  }
}
