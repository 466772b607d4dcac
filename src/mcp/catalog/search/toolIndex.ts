/** Ranked search over tools: BM25 over weighted fields, with stems, synonyms and forgiving spelling. */
import { actionFactor } from './actions.js';
import { buildPostings, fieldBits, type Postings } from './postings.js';
import { type QueryTerm, readQuery } from './queryTerms.js';
import { ServerIndex } from './serverIndex.js';
import type { SearchableTool } from './toolText.js';

export interface ToolHit<T> {
  readonly tool: T;
  readonly score: number;
}

const saturation = 2.5;
/** What remains of the score of a tool that covers next to nothing of the query. */
const partialShare = 0.35;
/** How much it tells that few servers have a word; the rest is that few tools have it. */
const serverShare = 0.6;

export class ToolIndex<T extends SearchableTool> {
  private readonly postings: Postings;
  private readonly servers: ServerIndex;
  private readonly scores: Float32Array;
  private readonly coverage: Float32Array;
  private readonly best: Float32Array;
  private readonly frequency: Float32Array;

  /** Reads all texts at once; the index never changes afterwards. */
  constructor(readonly tools: readonly T[]) {
    this.postings = buildPostings(tools);
    this.servers = new ServerIndex(tools);
    this.scores = new Float32Array(tools.length);
    this.coverage = new Float32Array(tools.length);
    this.best = new Float32Array(tools.length);
    this.frequency = new Float32Array(tools.length);
  }

  /** Best first. Empty only when nothing in the query resembles any text. */
  search(query: string, limit = 5): readonly ToolHit<T>[] {
    const { terms, stems, action } = readQuery(query, this.postings.vocabulary);
    const { tools, scores, coverage, servers } = this;
    scores.fill(0);
    coverage.fill(0);
    servers.begin(stems);
    let total = 0;
    for (const term of terms) {
      total += this.score(term);
    }
    if (total === 0) {
      return [];
    }
    servers.end();
    const wanted = plainName(query);
    let highest = 0;
    const exact: number[] = [];
    for (let tool = 0; tool < scores.length; tool++) {
      const score = scores[tool] as number;
      if (score === 0) {
        continue;
      }
      const share = (coverage[tool] as number) / total;
      const ranked =
        score *
        (partialShare + (1 - partialShare) * share) *
        servers.factor(tool) *
        actionFactor(action, this.postings.actions[tool] as number);
      scores[tool] = ranked;
      highest = Math.max(highest, ranked);
      if (share > 0.5 && isCalled(tools[tool] as T, wanted)) {
        exact.push(tool);
      }
    }
    // a tool whose name is the whole query comes first
    for (const tool of exact) {
      scores[tool] = (scores[tool] as number) + highest;
    }
    return this.top(limit);
  }

  /** Adds what each tool gets for its best term; returns how telling the word is. */
  private score(expansion: QueryTerm): number {
    const { best, scores, coverage, servers } = this;
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
        servers.see(tool, score);
      }
    }
    servers.next();
    return importance;
  }

  private scoreTerm(term: number, weight: number): number {
    const { starts, places, hitWeights } = this.postings;
    const { frequency, best, servers } = this;
    const start = starts[term] as number;
    const end = starts[term + 1] as number;
    let found = 0;
    let foundServers = 0;
    let lastServer = -1;
    for (let index = start; index < end; index++) {
      const place = places[index] as number;
      const tool = place >> fieldBits;
      const before = frequency[tool] as number;
      found += before === 0 ? 1 : 0;
      frequency[tool] = before + (hitWeights[place] as number);
      const server = servers.serverOf[tool] as number;
      foundServers += server === lastServer ? 0 : 1;
      lastServer = server;
    }
    const importance = weight * this.importance(found, Math.min(foundServers, servers.count));
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

  /** Of a word that so many tools and servers have. A server with many tools makes a word common that is not. */
  private importance(tools: number, servers: number): number {
    const ofTools = rarity(tools, this.best.length);
    const { count } = this.servers;
    const scale = Math.log(this.best.length + 1) / Math.log(count + 1);
    return (1 - serverShare) * ofTools + serverShare * scale * rarity(servers, count);
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

/** Inverse document frequency as BM25 has it. */
function rarity(found: number, all: number): number {
  return Math.log(1 + (all - found + 0.5) / (found + 0.5));
}

function isCalled({ name, tool }: SearchableTool, wanted: string): boolean {
  return isName(tool, wanted) || isName(name, wanted);
}

function isName(name: string, wanted: string): boolean {
  // most are told apart by what is cheap
  return (
    name.length >= wanted.length &&
    name.charAt(0).toLowerCase() === wanted.charAt(0) &&
    plainName(name) === wanted
  );
}

/** Without what `list_issues`, `list-issues`, `listIssues` and `List issues` differ in. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_./-]+/g, '');
}
