/** How well each server as a whole fits a query: what its tools say together, and whether the query names it. */
import { isStopWord } from './reading/stopWords.js';
import type { SearchableTool } from './reading/toolText.js';
import { stemOf } from './reading/vocabulary.js';
import { wordRuns, wordsOfRun } from './reading/words.js';

/** Added to a score of 1, at most. */
const fitShare = 0.5;
const namedShare = 0.4;

export class ServerIndex {
  /** By tool. */
  readonly serverOf: Int32Array;
  private readonly names: readonly (readonly string[])[];
  /** How few servers have the word in their names. */
  private readonly importance = new Map</* stem */ string, number>();
  private readonly fits: Float32Array;
  private readonly best: Float32Array;
  private readonly named: Float32Array;
  private highest = 1;

  constructor(tools: readonly SearchableTool[]) {
    const indexes = new Map<string, number>();
    this.serverOf = Int32Array.from(tools, ({ server }) => {
      const index = indexes.get(server) ?? indexes.size;
      indexes.set(server, index);
      return index;
    });
    this.names = [...indexes.keys()].map(stemsOf);
    for (const stem of this.names.flat()) {
      const others = this.names.filter((name) => name.includes(stem)).length;
      this.importance.set(stem, Math.log(1 + this.names.length / others));
    }
    this.fits = new Float32Array(this.count);
    this.best = new Float32Array(this.count);
    this.named = new Float32Array(this.count);
  }

  get count(): number {
    return this.names.length;
  }

  /** @param stems of the words of the query */
  begin(stems: ReadonlySet<string>): void {
    this.fits.fill(0);
    for (const [server, name] of this.names.entries()) {
      let total = 0;
      let covered = 0;
      for (const stem of name) {
        const importance = this.importance.get(stem) ?? 0;
        total += importance;
        covered += stems.has(stem) ? importance : 0;
      }
      this.named[server] = total > 0 ? covered / total : 0;
    }
  }

  /** What a tool gets for the current word of the query. */
  see(tool: number, score: number): void {
    const server = this.serverOf[tool] as number;
    if (score > (this.best[server] as number)) {
      this.best[server] = score;
    }
  }

  /** The current word is done. */
  next(): void {
    const { fits, best } = this;
    for (let server = 0; server < fits.length; server++) {
      (fits[server] as number) += best[server] as number;
    }
    best.fill(0);
  }

  end(): void {
    this.highest = this.fits.reduce((highest, fit) => Math.max(highest, fit), 0) || 1;
  }

  /** 0 to 1: how much of the name of its server the query has. */
  namedShare(tool: number): number {
    return this.named[this.serverOf[tool] as number] as number;
  }

  /** At least 1. */
  factor(tool: number): number {
    const server = this.serverOf[tool] as number;
    const fit = (this.fits[server] as number) / this.highest;
    return (1 + fitShare * fit) * (1 + namedShare * (this.named[server] as number));
  }
}

/** Without `mcp` and what else says nothing. */
function stemsOf(name: string): readonly string[] {
  const words = wordRuns(name).flatMap(wordsOfRun);
  return [...new Set(words.filter((word) => !isStopWord(word)).map(stemOf))];
}
