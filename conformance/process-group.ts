import { readdirSync, readFileSync } from 'node:fs';

/**
 * Ids of the processes in a group whose title begins with `title` (vLLM names its processes: `VLLM::EngineCore_DP1`).
 * Linux only.
 */
export function processesOf(group: number, title: string): number[] {
  const found: number[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      // After the name in brackets: state, parent, group.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[2]) !== group) continue;
      if (readFileSync(`/proc/${entry}/cmdline`, 'utf8').startsWith(title)) found.push(Number(entry));
    } catch {
      // It ended while we looked.
    }
  }
  return found;
}
