import { stemmer } from 'stemmer';
import { isStopWord } from './stopWords.js';
import { wordsOfRun } from './words.js';

/** Gives the words of the texts the numbers of their stems. */
export class Vocabulary {
  /** By number. */
  readonly stems: string[] = [];
  private readonly termsByStem = new Map<string, number>();
  private readonly termsByRun = new Map<string, readonly number[]>();

  /** `undefined` when no text holds a word of this stem. */
  find(stem: string): number | undefined {
    return this.termsByStem.get(stem);
  }

  /** The numbers of the stems of the words in a run of letters; none of words that say nothing. */
  termsOf(run: string): readonly number[] {
    let terms = this.termsByRun.get(run);
    if (!terms) {
      const words = wordsOfRun(run).filter((word) => !isStopWord(word));
      terms = words.map((word) => this.termOfStem(stemOf(word)));
      this.termsByRun.set(run, terms);
    }
    return terms;
  }

  private termOfStem(stem: string): number {
    const term = this.termsByStem.get(stem) ?? this.stems.push(stem) - 1;
    this.termsByStem.set(stem, term);
    return term;
  }
}

/** The part of an English word that its forms share; other words stay as they are. */
export function stemOf(word: string): string {
  return word.length > 3 && /^[a-z]+$/.test(word) ? stemmer(word) : word;
}
