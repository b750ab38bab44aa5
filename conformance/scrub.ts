/** Takes out what differs from run to run or tells of the machine: ids, times, folders, hashes. */
export function scrubBody(text: string): string {
  return text
    .replace(/\b(chatcmpl|cmpl|resp|msg|modelperm)([-_])[0-9a-f]{8,}\b/g, '$1$20')
    .replace(/("created(?:_at)?":\s*)\d+/g, '$10')
    .replace(/(vllm-[^"]*?-)[0-9a-f]{8}"/g, '$100000000"')
    .replace(/"root":\s*"[^"]*"/g, '"root":"tiny"');
}

/** Histograms of which every bucket is kept; of the others none is: they are long, and nobody reads them. */
const KEPT_HISTOGRAMS = ['vllm:time_to_first_token_seconds'];

/** A `/metrics` text made short: vLLM's series and the start of the process, with times and addresses set. */
export function scrubMetrics(text: string): string {
  const kept: string[] = [];
  for (const line of text.split('\n')) {
    const name = /^(?:# (?:HELP|TYPE) )?([a-zA-Z_:0-9]+)/.exec(line)?.[1] ?? '';
    if (isKept(name, text)) kept.push(normalized(name, line));
  }
  return `${kept.join('\n')}\n`;
}

function isKept(name: string, text: string): boolean {
  if (name === 'process_start_time_seconds') return true;
  if (!name.startsWith('vllm:')) return false;
  const family = name.replace(/_(bucket|sum|count|created)$/, '');
  return !text.includes(`# TYPE ${family} histogram`) || KEPT_HISTOGRAMS.includes(family);
}

function normalized(name: string, line: string): string {
  if (line.startsWith('#')) return line;
  if (name === 'process_start_time_seconds') return `${name} 1.7e+09`;
  return name.endsWith('_created') ? line.replace(/ \S+$/, ' 1.7e+09') : line;
}
