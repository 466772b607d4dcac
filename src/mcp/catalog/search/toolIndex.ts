/** Ranked search over tools: BM25 over weighted fields finds the likely ones, what else is known of them ranks those. */
import { buildPostings, fieldBits, type Postings } from './postings.js';
import { CandidateRanking, type FoundCandidates } from './ranking/candidateRanking.js';
import { actionFactor } from './reading/actions.js';
import { type QueryTerm, type ReadQuery, readQuery } from './reading/queryTerms.js';
import type { SearchableTool } from './reading/toolText.js';
import { ServerIndex } from './serverIndex.js';

export interface ToolHit<T> {
  readonly tool: T;
  readonly score: number;
}

/** So many are ranked once more. */
const candidateCount = 40;
interface Found extends FoundCandidates {
  /** Their names are the whole query. */
  readonly exact: ReadonlySet<number>;
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
  private readonly ranking: CandidateRanking;
  private readonly importances: (number | undefined)[] = [];

  /** Reads all texts at once; the index never changes afterwards. */
  constructor(readonly tools: readonly T[]) {
    this.postings = buildPostings(tools);
    this.servers = new ServerIndex(tools);
    this.scores = new Float32Array(tools.length);
    this.coverage = new Float32Array(tools.length);
    this.best = new Float32Array(tools.length);
    this.frequency = new Float32Array(tools.length);
    this.ranking = new CandidateRanking(tools, this.postings.vocabulary, (term) =>
      this.importanceOf(term),
    );
  }

  /**
   * Best first. Empty only when nothing in the query resembles any text.
   *
   * @param server the only one whose tools are wanted
   */
  search(query: string, limit = 5, server?: string): readonly ToolHit<T>[] {
    const found = this.find(query, limit, server);
    const all = found.candidates.length > 0 ? this.ranking.rank(found) : [];
    const ranked = all.filter(({ tool }) => this.isOf(tool, server));
    // a tool whose name is the whole query comes first
    const { exact } = found;
    const first = ranked.filter(({ tool }) => exact.has(tool));
    const others = ranked.filter(({ tool }) => !exact.has(tool));
    return [...first, ...others].slice(0, limit).map(({ tool, score }) => ({
      tool: this.tools[tool] as T,
      score: score + (exact.has(tool) ? 1 : 0),
    }));
  }

  /** What the weights of the ranking are fitted to. */
  candidatesOf(query: string): readonly { tool: T; features: readonly number[] }[] {
    const found = this.find(query);
    const features = this.ranking.featuresOf(found);
    return found.candidates.map(({ tool }, at) => ({
      tool: this.tools[tool] as T,
      features: features[at] ?? [],
    }));
  }

  private find(query: string, limit = 0, server?: string): Found {
    const request = readQuery(query, this.postings.vocabulary);
    const { scores, servers } = this;
    const exact = this.scoreAll(request, plainName(query));
    const count = Math.max(limit, candidateCount);
    // the best of all is what the others are measured by
    const best = server === undefined ? [] : this.top(1);
    const candidates = [...new Set([...best, ...this.top(count, server)])].map((tool) => ({
      tool,
      server: servers.serverOf[tool] as number,
      score: scores[tool] as number,
      named: servers.namedShare(tool),
    }));
    return { request, candidates, exact };
  }

  /** Returns the tools of this name. */
  private scoreAll({ terms, stems, action }: ReadQuery, name: string): ReadonlySet<number> {
    const { tools, scores, coverage, servers } = this;
    scores.fill(0);
    coverage.fill(0);
    servers.begin(stems);
    let total = 0;
    for (const term of terms) {
      total += this.score(term);
    }
    servers.end();
    const exact = new Set<number>();
    for (let tool = 0; tool < scores.length; tool++) {
      const score = scores[tool] as number;
      if (score === 0) {
        continue;
      }
      const share = (coverage[tool] as number) / total;
      scores[tool] =
        score *
        (partialShare + (1 - partialShare) * share) *
        servers.factor(tool) *
        actionFactor(action, this.postings.actions[tool] as number);
      if (share > 0.25 && isCalled(tools[tool] as T, name)) {
        exact.add(tool);
      }
    }
    return exact;
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

  /** By what all its places are worth. */
  private importanceOf(term: number | undefined): number {
    if (term === undefined) {
      return this.importance(0, 0);
    }
    const known = this.importances[term];
    if (known !== undefined) {
      return known;
    }
    const { starts, places } = this.postings;
    let tools = 0;
    let servers = 0;
    let lastTool = -1;
    let lastServer = -1;
    for (let index = starts[term] as number; index < (starts[term + 1] as number); index++) {
      const tool = (places[index] as number) >> fieldBits;
      const server = this.servers.serverOf[tool] as number;
      tools += tool === lastTool ? 0 : 1;
      servers += server === lastServer ? 0 : 1;
      lastTool = tool;
      lastServer = server;
    }
    const importance = this.importance(tools, Math.min(servers, this.servers.count));
    this.importances[term] = importance;
    return importance;
  }

  private isOf(tool: number, server: string | undefined): boolean {
    return server === undefined || this.tools[tool]?.server === server;
  }

  private top(limit: number, server?: string): readonly number[] {
    const { scores } = this;
    const order: number[] = [];
    for (let tool = 0; tool < scores.length; tool++) {
      const score = scores[tool] as number;
      const last = order.at(-1);
      if (score <= 0 || (order.length === limit && score <= (scores[last ?? 0] as number))) {
        continue;
      }
      if (!this.isOf(tool, server)) {
        continue;
      }
      let slot = order.length;
      while (slot > 0 && (scores[order[slot - 1] as number] as number) < score) {
        slot--;
      }
      order.splice(slot, 0, tool);
      order.length = Math.min(order.length, limit);
    }
    return order;
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
  return name.length >= wanted.length && plainName(name) === wanted;
}

/** Without what `list_issues`, `list-issues`, `listIssues` and `List issues` differ in. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/[\s_./-]+/g, '');
}
