const MOST_KINDS = 32;
const OTHER = 'other';

/**
 * Groups conversations that pause alike: by client without its version, subagents apart from those who started them.
 * Clients name themselves, so only so many names are told apart.
 */
export function createPauseKinds(): { of(client: string | null, source: string): string } {
  const known = new Set<string>();
  return {
    of(client, source) {
      const name = client?.replace(/ v?\d\S*$/, '') ?? OTHER;
      const kind = source === 'x-claude-code-agent-id' ? `${name} subagent` : name;
      if (known.size >= MOST_KINDS && !known.has(kind)) return OTHER;
      known.add(kind);
      return kind;
    },
  };
}
