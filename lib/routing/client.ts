import { headerValue, type RequestHeaders } from './request-headers.ts';

/** The agents whose requests the router knows by their shape and their headers. */
type Agent = 'claude-code' | 'codex' | 'opencode' | 'pi' | 'qwen-code';

const AGENTS: readonly { readonly agent: Agent; readonly name: string; readonly userAgent: RegExp }[] = [
  { agent: 'claude-code', name: 'Claude Code', userAgent: /^claude-(?:cli|code)\/([\w.+-]{1,24})/ },
  { agent: 'codex', name: 'Codex', userAgent: /^codex[\w-]*\/([\w.+-]{1,24})/ },
  { agent: 'opencode', name: 'opencode', userAgent: /^opencode\/([\w.+-]{1,24})/ },
  { agent: 'pi', name: 'pi', userAgent: /^pi\/([\w.+-]{1,24})/ },
  { agent: 'qwen-code', name: 'Qwen Code', userAgent: /^QwenCode\/([\w.+-]{1,24})/ },
];

/** Programs whose version is of no interest: the application behind an SDK is somebody else's. */
const TOOLS: readonly { readonly name: string; readonly userAgent: RegExp }[] = [
  { name: 'OpenAI SDK', userAgent: /^(?:Async)?(?:Azure)?OpenAI\// },
  { name: 'Anthropic SDK', userAgent: /^(?:Async)?Anthropic\// },
  { name: 'curl', userAgent: /^curl\// },
];

const MAX_NAME_LENGTH = 40;

/** The coding agent of a `User-Agent`; null for everything else. */
export function agentOf(userAgent: string | null): Agent | null {
  if (userAgent === null) return null;
  return AGENTS.find((entry) => entry.userAgent.test(userAgent))?.agent ?? null;
}

/**
 * Who sent a request, for a person to read: "Claude Code 2.1.332", "OpenAI SDK"; else the first word of the
 * `User-Agent`, at most 40 printable characters; null where nothing says. Headers that only one client sends speak for
 * a client whose `User-Agent` a proxy in front has replaced.
 */
export function clientName(userAgent: string | null, headers: RequestHeaders): string | null {
  const known = userAgent === null ? null : knownName(userAgent);
  if (known !== null) return known;
  if (headerValue(headers, 'originator')?.startsWith('codex') === true) return 'Codex';
  if (headerValue(headers, 'x-claude-code-session-id') !== null) return 'Claude Code';
  const firstWord = userAgent?.trim().split(/\s/, 1)[0] ?? '';
  const clean = firstWord.replace(/[^\x21-\x7e]/g, '').slice(0, MAX_NAME_LENGTH);
  return clean === '' ? null : clean;
}

function knownName(userAgent: string): string | null {
  for (const { name, userAgent: pattern } of AGENTS) {
    const version = pattern.exec(userAgent)?.[1];
    if (version !== undefined) return `${name} ${version}`;
  }
  return TOOLS.find((tool) => tool.userAgent.test(userAgent))?.name ?? null;
}
