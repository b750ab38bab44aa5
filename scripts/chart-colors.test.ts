import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/*
 * Colours as the three kinds of colour blindness see them (Machado, Oliveira and Fernandes 2009, full severity), and
 * their distance in OKLab: 0.02 is just noticeable between patches side by side, so 0.1 holds for thin lines too.
 */
type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

const VISIONS: Readonly<Record<string, Matrix>> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const LEAST_DISTANCE = 0.09;
const css = readFileSync(new URL('../app/globals.css', import.meta.url), 'utf8');
const THEMES = { light: css.indexOf(':root {'), dark: css.indexOf('[data-theme="dark"] {') };

describe.each(Object.entries(THEMES))('the eight colours of the %s theme', (_, start) => {
  const colors = Array.from({ length: 8 }, (_, index) => variable(`series-${index}`, start));

  it.each(Object.keys(VISIONS))('differ with %s', (vision) => {
    for (const [index, color] of colors.entries()) {
      for (const other of colors.slice(index + 1)) {
        expect(distance(seen(color, vision), seen(other, vision))).toBeGreaterThan(LEAST_DISTANCE);
      }
    }
  });

  it('stand out from the surface, three to one', () => {
    const surface = luminance(variable('raised', start));
    for (const color of colors) {
      const [dark = 0, light = 0] = [surface, luminance(color)].sort((a, b) => a - b);
      expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(3);
    }
  });
});

/** A colour of the theme whose block begins at `start`, as linear RGB. */
function variable(name: string, start: number): Triple {
  const hex = new RegExp(`--${name}: #([0-9a-f]{6});`).exec(css.slice(start))?.[1];
  if (hex === undefined) throw new Error(`there is no --${name}`);
  const part = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(0), part(2), part(4)];
}

function seen(color: Triple, vision: string): Triple {
  const [r, g, b] = VISIONS[vision] ?? VISIONS.full ?? [color, color, color];
  const part = (row: Triple) => Math.min(1, Math.max(0, row[0] * color[0] + row[1] * color[1] + row[2] * color[2]));
  return [part(r), part(g), part(b)];
}

function luminance([r, g, b]: Triple): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function distance(one: Triple, other: Triple): number {
  const [a, b] = [oklab(one), oklab(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function oklab([r, g, b]: Triple): Triple {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
