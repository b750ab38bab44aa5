import { hashText } from '#lib/experiment/hash-text.ts';
import { createRandom } from '#lib/simulation/random.ts';

/** Three letters and a blank each: one token in the vocabularies of the models in use, and four characters. */
const WORDS = (
  'the and for run set get map key log new old use add end top low big few one two six ten day way job ask try see ' +
  'let put cut fit hit net pin row bit bug box bus cap car cat cup dog ear egg eye fan far fix fly fun gap gas hat ' +
  'ice ink jam joy kit lab law leg lid lip man mix mud nut oil own pad pan pay pen pet pie pit pop pot rat raw red ' +
  'rib rod rug sad sea sky son sun tap tax tea tie tip toy van war web win yes zip art air age arm bed bar bag bad'
).split(' ');

/** A text of `tokens` tokens at four characters each; the same `content` gives the same text. */
export function writeTokens(content: string, tokens: number): string {
  const random = createRandom(hashText(content));
  let text = '';
  for (let token = 0; token < tokens; token++) text += `${WORDS[Math.floor(random() * WORDS.length)] ?? 'the'} `;
  return text;
}

/** Characters of `tokens` tokens of such a text. */
export function charactersOf(tokens: number): number {
  return tokens * 4;
}
