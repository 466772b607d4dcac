/** Finds many phrases in one pass over a text, after Aho and Corasick. */
import type { TextPart } from './foundSecret.js';

interface Node {
  /** Most nodes have one that follows, so that a map for each would be most of the memory. */
  firstCode: number;
  first: Node | undefined;
  /** Character code → node. */
  others: Map<number, Node> | undefined;
  readonly depth: number;
  /** Where to go on when no phrase continues: the longest end of this node's text that begins a phrase. */
  fallback: Node | undefined;
  /** Length of the longest phrase that ends here; 0: none does. */
  length: number;
}

export class PhraseFinder {
  private readonly root = createNode(0);

  constructor(phrases: Iterable<string>) {
    for (const phrase of phrases) {
      this.insert(phrase);
    }
    this.link();
  }

  /**
   * Every place of a phrase, by its end. What a text that was cut holds of a phrase counts as one, behind the last
   * character and before each `cut`.
   * @param minCutLength characters of a phrase that are left of it at least.
   */
  find(text: string, cut: string, minCutLength: number): readonly TextPart[] {
    const found: TextPart[] = [];
    const cutCode = cut.charCodeAt(0);
    let node = this.root;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === cutCode && node.depth >= minCutLength) {
        found.push({ start: at - node.depth, end: at });
      }
      node = this.step(node, code);
      if (node.length > 0) {
        found.push({ start: at + 1 - node.length, end: at + 1 });
      }
    }
    if (node.depth >= minCutLength) {
      found.push({ start: text.length - node.depth, end: text.length });
    }
    return found;
  }

  private step(from: Node, code: number): Node {
    let node: Node | undefined = from;
    while (node) {
      const next = follow(node, code);
      if (next) {
        return next;
      }
      node = node.fallback;
    }
    return this.root;
  }

  private insert(phrase: string): void {
    let node = this.root;
    for (let at = 0; at < phrase.length; at++) {
      const code = phrase.charCodeAt(at);
      let next = follow(node, code);
      if (!next) {
        next = createNode(node.depth + 1);
        append(node, code, next);
      }
      node = next;
    }
    node.length = phrase.length;
  }

  /** Level by level, since the way back of a node leads through those above it. */
  private link(): void {
    const queue = [...followers(this.root)].map(([, next]) => next);
    for (const node of queue) {
      node.fallback ??= this.root;
    }
    for (const node of queue) {
      for (const [code, next] of followers(node)) {
        next.fallback = node.fallback ? this.step(node.fallback, code) : this.root;
        next.length = Math.max(next.length, next.fallback.length);
        queue.push(next);
      }
    }
  }
}

function createNode(depth: number): Node {
  return {
    firstCode: -1,
    first: undefined,
    others: undefined,
    depth,
    fallback: undefined,
    length: 0,
  };
}

function follow(node: Node, code: number): Node | undefined {
  return node.firstCode === code ? node.first : node.others?.get(code);
}

function append(node: Node, code: number, next: Node): void {
  if (node.first) {
    node.others ??= new Map();
    node.others.set(code, next);
  } else {
    node.first = next;
    node.firstCode = code;
  }
}

function* followers(node: Node): Generator<readonly [code: number, next: Node]> {
  if (node.first) {
    yield [node.firstCode, node.first];
    yield* node.others ?? [];
  }
}
