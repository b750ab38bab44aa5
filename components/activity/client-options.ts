/** A client to choose: one version of a program, or all of them. */
export type ClientOption = { readonly value: string; readonly isProgram: boolean };

/**
 * The clients to choose from, by name: "Claude Code 2.1.332", and "Claude Code" for all versions where there are
 * several.
 */
export function clientOptions(names: readonly string[]): ClientOption[] {
  const known = [...new Set(names)];
  const programs = known.map(programOf).filter((program) => program !== null);
  const several = programs.filter((program, index) => programs.indexOf(program) !== index && !known.includes(program));
  const options = [
    ...[...new Set(several)].map((value) => ({ value, isProgram: true })),
    ...known.map((value) => ({ value, isProgram: false })),
  ];
  return options.sort((a, b) => byName.compare(a.value, b.value));
}

const byName = new Intl.Collator(undefined, { numeric: true });

/** Whether a client is the one that was chosen, or a version of it. */
export function isClient(name: string | null, chosen: string): boolean {
  return name !== null && (name === chosen || programOf(name) === chosen);
}

/** "Claude Code" of "Claude Code 2.1.332"; null where the name ends in no version. */
function programOf(name: string): string | null {
  return /^(.+) \d\S*$/.exec(name)?.[1] ?? null;
}
