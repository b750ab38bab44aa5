import type { BuiltWarden } from './built-warden.ts';

/** The sum of the samples of a metric whose labels contain a text; null where there is none. */
export async function metric(warden: BuiltWarden, name: string, labels = ''): Promise<number | null> {
  const text = await (await fetch(`${warden.url}/metrics`)).text();
  const samples = text.split('\n').filter((line) => line.startsWith(`${name}{`) && line.includes(labels));
  if (samples.length === 0) return null;
  return samples.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
