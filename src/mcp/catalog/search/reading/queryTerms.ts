/** Reads a request: its words, and the terms of the texts that stand for them. */
import {
  type ActionMask,
  actionOf,
  isQuestion,
  wantedAction,
  withoutCourtesies,
} from './actions.js';
import { type WantedKind, wantedKind } from './kinds.js';
import { nearTerms } from './nearTerms.js';
import { type Phrase, readPhrases } from './phrases.js';
import { readNames, readShapes } from './shapes.js';
import { isStopWord } from './stopWords.js';
import { baseFormOf, synonymsOf } from './synonyms.js';
import { stemOf, type Vocabulary } from './vocabulary.js';
import { wordRuns, wordsOfRun } from './words.js';

/** A word of the query, expanded: any of these terms stands for it, each as clearly as its weight. */
export type QueryTerm = ReadonlyMap</* term */ number, /* weight */ number>;

export interface ReadQuery {
  readonly terms: readonly QueryTerm[];
  /** Of the words as they stand there. */
  readonly stems: ReadonlySet<string>;
  readonly action: ActionMask;
  /** As they were written, in lower case and in order. */
  readonly words: readonly string[];
  readonly wanted: WantedKind;
}

const mutualWeight = 0.95;
const oneWayWeight = 0.65;
/** Verbs count less than things, since {@link wantedAction} looks at them as well. */
const verbWeight = 0.85;
/** A question names what is done, it does not ask to do it. */
const verbOfQuestionWeight = 0.45;
const wordOfPhraseWeight = 0.25;

/** Which one it is says nothing about the tool. */
const addresses = /https?:\/\/\S+|\b[\w-]{1,60}\.(?:com|org|net|io|dev)\b\S*/gi;

/** A model may send the output of a build; of a word that no text has, all that are like it are looked for. */
const maxWords = 60;

export function readQuery(query: string, vocabulary: Vocabulary): ReadQuery {
  const plain = withoutContractions(query).replace(addresses, ' url ');
  const written = wordRuns(plain).flatMap(wordsOfRun).slice(0, maxWords);
  const words = written.map(baseFormOf);
  const request = withoutCourtesies(words);
  const all = [...words, ...joinPairs(words, vocabulary)];
  const phrases = [...readPhrases(words), ...readShapes(query)];
  const names = new Set([...readNames(query)].map(stemOf));
  const telling = all.filter((word) => !isStopWord(word));
  const stems = new Set((telling.length > 0 || phrases.length > 0 ? telling : all).map(stemOf));
  const weightOf = createWeights(isQuestion(request), phrases);
  const expansions = [
    ...[...stems].map((stem) => expand(stem, vocabulary, weightOf(stem), !names.has(stem))),
    ...phrases.map(({ meaning }) => expandPhrase(meaning, vocabulary)),
  ];
  return {
    terms: withoutRepetitions(expansions).filter((term) => term.size > 0),
    stems,
    action: wantedAction(request),
    words: written,
    wanted: wantedKind(withoutCourtesies(written)),
  };
}

/** `won't` and `dont` are no words of their own: *won* is a deal, *don* begins a donation. */
function withoutContractions(text: string): string {
  return text
    .replace(/\b(?:wo|(ca))n['’]t\b/gi, (_, can) => (can ? 'can not' : 'will not'))
    .replace(contractions, '$1 not');
}
const contractions =
  /\b(are|could|did|do|does|had|has|have|is|might|must|need|should|was|were|would)n['’]?t\b/gi;

function createWeights(asks: boolean, phrases: readonly Phrase[]): (stem: string) => number {
  const inPhrases = new Set(phrases.flatMap(({ words }) => words.map(stemOf)));
  const ofVerb = asks ? verbOfQuestionWeight : verbWeight;
  return (stem) =>
    (actionOf(stem) === 0 ? 1 : ofVerb) * (inPhrases.has(stem) ? wordOfPhraseWeight : 1);
}

/** `e-mail` and `screen shot` may be one word in the texts. */
function joinPairs(words: readonly string[], vocabulary: Vocabulary): readonly string[] {
  return words.slice(1).flatMap((word, index) => {
    const pair = `${words[index]}${word}`;
    return stemOf(pair) === pair && vocabulary.find(pair) !== undefined ? [pair] : [];
  });
}

function expandPhrase(meaning: readonly string[], vocabulary: Vocabulary): QueryTerm {
  const known = meaning.flatMap((word) => vocabulary.find(stemOf(word)) ?? []);
  return new Map(known.map((term) => [term, 1]));
}

function expand(
  stem: string,
  vocabulary: Vocabulary,
  share: number,
  mayBeMisspelt: boolean,
): QueryTerm {
  const expansion = new Map<number, number>();
  const add = (term: number | undefined, weight: number) => {
    if (term !== undefined && !expansion.has(term)) {
      expansion.set(term, weight * share);
    }
  };
  add(vocabulary.find(stem), 1);
  for (const synonym of synonymsOf(stem)) {
    add(vocabulary.find(synonym.stem), synonym.isMutual ? mutualWeight : oneWayWeight);
  }
  if (expansion.size === 0 && mayBeMisspelt) {
    for (const { term, likeness } of nearTerms(stem, vocabulary.stems)) {
      add(term, likeness);
    }
  }
  return expansion;
}

/** A word of a tool answers one word of the query, the one for which it stands most clearly. */
function withoutRepetitions(expansions: readonly QueryTerm[]): readonly QueryTerm[] {
  const owners = new Map</* term */ number, QueryTerm>();
  for (const expansion of expansions) {
    for (const [term, weight] of expansion) {
      if (weight > (owners.get(term)?.get(term) ?? 0)) {
        owners.set(term, expansion);
      }
    }
  }
  return expansions.map(
    (expansion) => new Map([...expansion].filter(([term]) => owners.get(term) === expansion)),
  );
}
