/** Ranked search over tools: BM25 over weighted fields, with stems, synonyms and forgiving spelling. */
import { nearTerms } from './nearTerms.js';
import { buildPostings, fieldBits, type Postings } from './postings.js';
import { isStopWord } from './stopWords.js';
import { spelledOut, synonymsOf } from './synonyms.js';
import type { SearchableTool } from './toolText.js';
import { stemOf } from './vocabulary.js';
import { runsOf, wordsOfRun } from './words.js';

export interface ToolHit<T> {
  readonly tool: T;
  readonly score: number;
}

/** A word of the query, expanded: any of these terms stands for it, each as clearly as its weight. */
type QueryTerm = ReadonlyMap</* term */ number, /* weight */ number>;

const saturation = 1.2;
const synonymWeight = 0.55;
const nearWeight = 0.7;
/** What remains of the score of a tool that covers next to nothing of the query. */
const partialShare = 0.4;

export class ToolIndex<T extends SearchableTool> {
  private readonly postings: Postings;
  private readonly scores: Float32Array;
  private readonly coverage: Float32Array;
  private readonly best: Float32Array;
  private readonly frequency: Float32Array;

  /** Reads all texts at once; the index never changes afterwards. */
  constructor(readonly tools: readonly T[]) {
    this.postings = buildPostings(tools);
    this.scores = new Float32Array(tools.length);
    this.coverage = new Float32Array(tools.length);
    this.best = new Float32Array(tools.length);
    this.frequency = new Float32Array(tools.length);
  }

  /** Best first. Empty only when nothing in the query resembles any text. */
  search(query: string, limit = 5): readonly ToolHit<T>[] {
    const queryTerms = this.readQuery(query);
    this.scores.fill(0);
    this.coverage.fill(0);
    let total = 0;
    for (const queryTerm of queryTerms) {
      total += this.score(queryTerm);
    }
    if (total === 0) {
      return [];
    }
    for (let tool = 0; tool < this.scores.length; tool++) {
      const score = this.scores[tool] as number;
      if (score > 0) {
        const share = (this.coverage[tool] as number) / total;
        this.scores[tool] = score * (partialShare + (1 - partialShare) * share);
      }
    }
    return this.top(limit);
  }

  private readQuery(query: string): readonly QueryTerm[] {
    const words = runsOf(query)
      .flatMap(wordsOfRun)
      .flatMap((word) => spelledOut(word) ?? [word]);
    const telling = words.filter((word) => !isStopWord(word));
    const stems = new Set((telling.length > 0 ? telling : words).map(stemOf));
    return [...stems].map((stem) => this.expand(stem)).filter((queryTerm) => queryTerm.size > 0);
  }

  private expand(stem: string): QueryTerm {
    const { vocabulary } = this.postings;
    const expansion = new Map<number, number>();
    const add = (term: number | undefined, weight: number) => {
      if (term !== undefined && !expansion.has(term)) {
        expansion.set(term, weight);
      }
    };
    add(vocabulary.find(stem), 1);
    const isKnown = expansion.size > 0;
    for (const synonym of synonymsOf(stem)) {
      add(vocabulary.find(synonym), isKnown ? synonymWeight : nearWeight);
    }
    if (expansion.size === 0) {
      for (const term of nearTerms(stem, vocabulary.stems)) {
        add(term, nearWeight);
      }
    }
    return expansion;
  }

  /** Adds what each tool gets for its best term; returns how telling the word is. */
  private score(expansion: QueryTerm): number {
    const { best, scores, coverage } = this;
    best.fill(0);
    let importance = 0;
    for (const [term, weight] of expansion) {
      importance = Math.max(importance, this.scoreTerm(term, weight));
    }
    for (let tool = 0; tool < best.length; tool++) {
      const score = best[tool] as number;
      if (score > 0) {
        scores[tool] = (scores[tool] as number) + score;
        coverage[tool] = (coverage[tool] as number) + importance;
      }
    }
    return importance;
  }

  private scoreTerm(term: number, weight: number): number {
    const { starts, places, hitWeights } = this.postings;
    const { frequency, best } = this;
    const start = starts[term] as number;
    const end = starts[term + 1] as number;
    let found = 0;
    for (let index = start; index < end; index++) {
      const place = places[index] as number;
      const tool = place >> fieldBits;
      const before = frequency[tool] as number;
      found += before === 0 ? 1 : 0;
      frequency[tool] = before + (hitWeights[place] as number);
    }
    const importance = weight * Math.log(1 + (best.length - found + 0.5) / (found + 0.5));
    for (let index = start; index < end; index++) {
      const tool = (places[index] as number) >> fieldBits;
      const count = frequency[tool] as number;
      if (count > 0) {
        const score = (importance * count) / (saturation + count);
        best[tool] = Math.max(best[tool] as number, score);
        frequency[tool] = 0;
      }
    }
    return importance;
  }

  private top(limit: number): readonly ToolHit<T>[] {
    const { scores, tools } = this;
    const order: number[] = [];
    for (let tool = 0; tool < scores.length; tool++) {
      const score = scores[tool] as number;
      const last = order.at(-1);
      if (score <= 0 || (order.length === limit && score <= (scores[last ?? 0] as number))) {
        continue;
      }
      let slot = order.length;
      while (slot > 0 && (scores[order[slot - 1] as number] as number) < score) {
        slot--;
      }
      order.splice(slot, 0, tool);
      order.length = Math.min(order.length, limit);
    }
    return order.map((tool) => ({ tool: tools[tool] as T, score: scores[tool] as number }));
  }
}
