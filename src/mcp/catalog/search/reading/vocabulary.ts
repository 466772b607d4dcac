import { stemmer } from 'stemmer';
import { RunTable } from './runTable.js';
import { isStopWord } from './stopWords.js';
import { wordsOfRun } from './words.js';

/** Gives the words of the texts the numbers of their stems. */
export class Vocabulary {
  /** By number. */
  readonly stems: string[] = [];
  private readonly termsByStem = new Map<string, number>();
  private readonly termsByRun = new RunTable((run) => this.readRun(run));

  /** `undefined` when no text holds a word of this stem. */
  find(stem: string): number | undefined {
    return this.termsByStem.get(stem);
  }

  /** The numbers of the stems of the words in a run of letters; none of words that say nothing. */
  termsOf(run: string): readonly number[] {
    return this.termsByRun.get(run);
  }

  /** Calls `add` with those of each run of the text, in order. @param length what follows is not read */
  read(text: string, length: number, add: (terms: readonly number[]) => void): void {
    this.termsByRun.read(text, length, add);
  }

  private readRun(run: string): readonly number[] {
    const terms: number[] = [];
    for (const word of wordsOfRun(run)) {
      if (!isStopWord(word)) {
        terms.push(this.termOfStem(stemOf(word)));
      }
    }
    return terms;
  }

  private termOfStem(stem: string): number {
    const known = this.termsByStem.get(stem);
    if (known !== undefined) {
      return known;
    }
    const term = this.stems.push(stem) - 1;
    this.termsByStem.set(stem, term);
    return term;
  }
}

/** The part of an English word that its forms share; other words stay as they are. */
export function stemOf(word: string): string {
  return word.length > 3 && /^[a-z]+$/.test(word) ? stemmer(word) : word;
}
