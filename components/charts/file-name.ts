/** What a chart's files are called, without the ending: "warden-benchmark-3-replicas-busy". */
export function fileName(...parts: readonly string[]): string {
  const words = ['warden', ...parts].flatMap((part) => part.toLowerCase().split(/[^a-z0-9]+/));
  return words.filter((word) => word !== '').join('-');
}
