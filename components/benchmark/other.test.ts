import { createTranslator } from 'use-intl/core';
import { expect, it } from 'vitest';
import { benchmark } from '#components/messages/en/benchmark.ts';
import { REFERENCE_MEASUREMENT } from '#lib/experiment/reference-measurement.ts';
import { comparableWith, otherOf } from './other.ts';

const runs = [
  { id: 5, rows: REFERENCE_MEASUREMENT.slice(0, 1) },
  { id: 4, rows: [] },
  { id: 3, rows: REFERENCE_MEASUREMENT.slice(0, 2) },
];
const words = { t: createTranslator({ locale: 'en', messages: { benchmark }, namespace: 'benchmark' }) };

it.each([
  [5, '3', { kind: 'run', value: '3', rows: REFERENCE_MEASUREMENT.slice(0, 2) }],
  [3, '5', { kind: 'run', value: '5', rows: REFERENCE_MEASUREMENT.slice(0, 1) }],
  [5, 'none', { kind: 'nothing', value: 'none', rows: [] }],
  [5, 'reference', { kind: 'reference', value: 'reference' }],
  // Itself, one that measured nothing, one that is not there, and what nobody chose.
  [3, '3', { kind: 'reference', value: 'reference' }],
  [3, '4', { kind: 'reference', value: 'reference' }],
  [3, '9', { kind: 'reference', value: 'reference' }],
  [3, 'x', { kind: 'reference', value: 'reference' }],
])('run %d with ?compare=%s', (own, chosen, other) => {
  const others = comparableWith(own, runs);
  expect(others.map(({ id }) => id)).not.toContain(own);
  expect(otherOf(chosen, others, words)).toMatchObject(other);
});
