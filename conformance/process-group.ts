import { readdirSync, readFileSync } from 'node:fs';

type Process = { readonly pid: number; readonly group: number; readonly command: string };

/** The process group of the `vllm serve` that listens on the port of a URL. Linux only, as the next one. */
export function groupOf(url: string): number {
  const { port } = new URL(url);
  const leader = allProcesses().find(({ command }) => command.includes(`\0--port\0${port}\0`));
  if (leader === undefined) throw new Error(`no vllm serve --port ${port} runs`);
  return leader.group;
}

/** The processes of a group whose title begins with `title`: vLLM names its processes, `VLLM::EngineCore_DP1`. */
export function membersOf(group: number, title: string): number[] {
  return allProcesses()
    .filter((process) => process.group === group && process.command.startsWith(title))
    .map(({ pid }) => pid);
}

function allProcesses(): Process[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((entry) => {
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
        // After the name in brackets: state, parent, group.
        const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
        return [{ pid: Number(entry), group, command: readFileSync(`/proc/${entry}/cmdline`, 'utf8') }];
      } catch {
        // It ended while we looked.
        return [];
      }
    });
}
