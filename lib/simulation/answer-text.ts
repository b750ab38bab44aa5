import type { Random } from './random.ts';

const WORDS =
  'the parser reads each line once and keeps the open block in a small table so that later checks can find it again ' +
  'this function returns early when nothing has changed while the test covers both the empty case and a long input ' +
  'we should move the shared part into its own module rename the flag and update callers before the next release ' +
  'a cache miss costs one extra query here which explains why the first request after start is slower than others';
const VOCABULARY = WORDS.split(' ');

/** Plausible sentences of exactly `length` characters. */
export function writeText(length: number, random: Random): string {
  let text = '';
  while (text.length < length) text += `${text === '' ? '' : ' '}${writeSentence(random)}`;
  return text.slice(0, length);
}

/** The same, ending like prose: at a word's end and with a full stop, so a few characters shorter. */
export function writeProse(length: number, random: Random): string {
  const text = writeText(length - 1, random);
  const end = text.lastIndexOf(' ');
  return `${text.slice(0, end > 0 ? end : text.length).replace(/\.$/, '')}.`;
}

function writeSentence(random: Random): string {
  const count = 6 + Math.floor(random() * 9);
  const words = Array.from({ length: count }, () => VOCABULARY[Math.floor(random() * VOCABULARY.length)] ?? 'it');
  const sentence = words.join(' ');
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`;
}
