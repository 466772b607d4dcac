import { stemmer } from 'stemmer';
import type { WordSink } from './scanWords.js';
import { isStopWord } from './stopWords.js';

/** Stands for words that say nothing. */
export const noTerm = -1;

/**
 * Gives every word the number of its stem. Words are looked up by hash, length and last letter alone, so that no text
 * is copied for a word that was seen before; two words that agree in all three count as one.
 */
export class Vocabulary implements WordSink {
  private keys = new Int32Array(1 << 13);
  /** Term + 2; 0 is a free slot. */
  private values = new Int32Array(1 << 13);
  private used = 0;
  private readonly termsByStem = new Map<string, number>();
  private readonly stemList: string[] = [];

  /** @param onTerm called for every word that says something. */
  constructor(private readonly onTerm: (term: number) => void) {}

  /** By number. */
  get stems(): readonly string[] {
    return this.stemList;
  }

  /** `undefined` when no text holds a word of this stem. */
  find(stem: string): number | undefined {
    return this.termsByStem.get(stem);
  }

  word(text: string, start: number, end: number, hash: number): void {
    const key = (Math.imul(hash, 0x9e3779b1) ^ ((end - start) << 24)) | 0;
    const mask = this.keys.length - 1;
    let slot = (key ^ (key >>> 15)) & mask;
    for (;;) {
      const value = this.values[slot] as number;
      if (value === 0) {
        break;
      }
      if (this.keys[slot] === key) {
        if (value > 1) {
          this.onTerm(value - 2);
        }
        return;
      }
      slot = (slot + 1) & mask;
    }
    const term = this.termOf(text.slice(start, end).toLowerCase());
    this.keys[slot] = key;
    this.values[slot] = term + 2;
    if (++this.used * 2 > mask) {
      this.grow();
    }
    if (term !== noTerm) {
      this.onTerm(term);
    }
  }

  private termOf(word: string): number {
    if (isStopWord(word)) {
      return noTerm;
    }
    const stem = stemOf(word);
    let term = this.termsByStem.get(stem);
    if (term === undefined) {
      term = this.stemList.push(stem) - 1;
      this.termsByStem.set(stem, term);
    }
    return term;
  }

  private grow(): void {
    const { keys, values } = this;
    const mask = keys.length * 2 - 1;
    this.keys = new Int32Array(mask + 1);
    this.values = new Int32Array(mask + 1);
    for (let index = 0; index < keys.length; index++) {
      const value = values[index] as number;
      if (value !== 0) {
        const key = keys[index] as number;
        let slot = (key ^ (key >>> 15)) & mask;
        while (this.values[slot] !== 0) {
          slot = (slot + 1) & mask;
        }
        this.keys[slot] = key;
        this.values[slot] = value;
      }
    }
  }
}

/** The part of an English word that its forms share; other words stay as they are. */
export function stemOf(word: string): string {
  return word.length > 3 && /^[a-z]+$/.test(word) ? stemmer(word) : word;
}
