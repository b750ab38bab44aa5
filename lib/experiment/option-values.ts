import type { Range } from './synthetic-workload.ts';

/** A mistake of the person at the command line; the message says what to write instead. */
export class OptionError extends Error {}

/** What `util.parseArgs` makes of the command line. */
export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

/** Reads options by name, with the message that a person needs where one does not make sense. */
export function readOptions(values: OptionValues) {
  const text = (name: string): string | null => {
    const value = values[name];
    return typeof value === 'string' ? value : null;
  };
  const number = (name: string, fallback: number, allowed: NumberRule): number => {
    const value = text(name);
    return value === null ? fallback : parseNumber(name, value, allowed);
  };

  return {
    text,
    flag: (name: string): boolean => values[name] === true,
    number,
    /** Comma-separated numbers. */
    numbers: (name: string, fallback: readonly number[], allowed: NumberRule): readonly number[] => {
      const value = text(name);
      return value === null ? fallback : value.split(',').map((item) => parseNumber(name, item, allowed));
    },
    /** `400`, or `0-30` for anything between. */
    range: (name: string, fallback: Range, allowed: NumberRule): Range => {
      const value = text(name);
      if (value === null) return fallback;
      const [low = '', high = low, ...more] = value.split('-');
      const range = { least: parseNumber(name, low, allowed), most: parseNumber(name, high, allowed) };
      if (more.length > 0 || range.most < range.least) {
        throw new OptionError(`--${name} takes a number or a range such as 0-30, not "${value}"`);
      }
      return range;
    },
    /** One of `names`. */
    choice: <Name extends string>(name: string, fallback: Name, names: readonly Name[]): Name => {
      const value = text(name);
      return value === null ? fallback : parseChoice(name, value, names);
    },
    /** Some of `names`, comma-separated. */
    choices: <Name extends string>(
      name: string,
      fallback: readonly Name[],
      names: readonly Name[],
    ): readonly Name[] => {
      const value = text(name);
      return value === null ? fallback : value.split(',').map((item) => parseChoice(name, item, names));
    },
  };
}

/** `whole`: no fraction. */
export type NumberRule = { readonly least: number; readonly whole: boolean };

function parseNumber(name: string, text: string, { least, whole }: NumberRule): number {
  const trimmed = text.trim();
  const value = Number(trimmed);
  if (trimmed === '' || !Number.isFinite(value) || value < least || (whole && !Number.isInteger(value))) {
    throw new OptionError(`--${name}: "${text}" is not ${whole ? 'a whole number' : 'a number'} of at least ${least}`);
  }
  return value;
}

function parseChoice<Name extends string>(name: string, text: string, names: readonly Name[]): Name {
  const found = names.find((candidate) => candidate === text.trim());
  if (found === undefined) throw new OptionError(`--${name}: "${text}" is none of ${names.join(', ')}`);
  return found;
}
