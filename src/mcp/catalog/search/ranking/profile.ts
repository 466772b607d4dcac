/** What the ranking knows of a tool, in numbers of the vocabulary. */
import { isPlural, type Kinds, kindsOfTool } from '../reading/kinds.js';
import { fields, readToolText, type SearchableTool } from '../reading/toolText.js';
import type { Vocabulary } from '../reading/vocabulary.js';
import { partsOfRun, wordRuns } from '../reading/words.js';

export type TermSet = ReadonlySet</* term */ number>;

export interface Profile {
  /** Of its own name, without what all tools of the server begin with. */
  readonly name: TermSet;
  /** Those of the name that stand there as plurals, and not so. */
  readonly plurals: TermSet;
  readonly singulars: TermSet;
  /** Name and title. */
  readonly title: TermSet;
  /** Names and texts of the parameters. */
  readonly parameters: TermSet;
  /** Everything that says what the tool is for. */
  readonly main: TermSet;
  readonly all: TermSet;
  readonly kinds: Kinds;
  /** It does something to several at once, or to what is not the usual case. */
  readonly isSpecial: boolean;
}

export const specialWords: ReadonlySet<string> = new Set(
  'batch bulk multiple many draft archived archive template templates deprecated legacy raw advanced complex custom all'.split(
    ' ',
  ),
);

const none: TermSet = new Set();
/** Terms. */
const maxDescription = 40;

/** @param start the word with which the names of the server's tools begin, if they do */
export function profileOf(
  tool: SearchableTool,
  vocabulary: Vocabulary,
  start: string | undefined,
): Profile {
  const texts = fields.map(() => new Set<number>());
  readToolText(tool, (field, text, length) => {
    const terms = texts[field];
    vocabulary.read(text, length, (found) => {
      for (const term of found) {
        terms?.add(term);
      }
    });
  });
  const [, title = none, server = none, description = none, names = none, ...rest] = texts;
  const [parameterTexts = none, purpose = none] = rest;
  const termsOf = (word: string) => vocabulary.termsOf(word);
  const words = ownWords(tool, start);
  const name = new Set(words.flatMap(termsOf));
  const titled = new Set([...name, ...title]);
  const shortened = new Set([...description].slice(0, maxDescription));
  const main = new Set([...titled, ...server, ...shortened]);
  return {
    name,
    plurals: new Set(words.filter(isPlural).flatMap(termsOf)),
    singulars: new Set(words.filter((word) => !isPlural(word)).flatMap(termsOf)),
    title: titled,
    parameters: new Set([...names, ...parameterTexts]),
    main,
    all: new Set([...main, ...description, ...names, ...purpose]),
    kinds: kindsOfTool(words, tool.description ?? tool.title ?? ''),
    isSpecial: words.some((word) => specialWords.has(word)),
  };
}

/** The words of the name without those that name the server or begin the names of all its tools. */
function ownWords({ tool, server }: SearchableTool, start: string | undefined): readonly string[] {
  const words = wordRuns(tool).flatMap(partsOfRun);
  const ofServer = new Set(wordRuns(server).flatMap(partsOfRun));
  const first = words.findIndex((word) => !ofServer.has(word) && word !== start);
  return first < 0 ? words.slice(-1) : words.slice(first);
}

/** The word with which nearly all of these names begin. */
export function commonStart(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) {
    const [first = ''] = partsOfRun(wordRuns(name)[0] ?? '');
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const found = [...counts].find(([, count]) => count > nearlyAll * names.length);
  return names.length >= fewestNames ? found?.[0] : undefined;
}
const nearlyAll = 0.8;
const fewestNames = 3;
