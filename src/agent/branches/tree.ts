/**
 * The tree of a conversation. Pi only ever adds entries, each below another, so that what was said before the user
 * changed a message stays: two messages of the user that follow the same answer were sent in the place of one another.
 */

/** What the tree needs of an entry of Pi. */
export interface TreeEntry {
  readonly id: string;
  /** `null`: nothing came before it. */
  readonly parentId: string | null;
  readonly type: string;
  readonly message?: { readonly role: string };
}

/** A place in the conversation: its last entry, `null` before the first one. */
export type Place = string | null;

/** Where a message stands among those that were sent in its place. */
export interface Alternatives {
  /** In the order in which they were sent; the message itself is one of them. */
  readonly ids: readonly string[];
  /** Index of the message. */
  readonly at: number;
}

interface Node {
  readonly entry: TreeEntry;
  readonly parent: Node | undefined;
  /** What was said last before it. */
  readonly before: Place;
  /** Index of the entry that was added last below it; its own where there is none. */
  last: number;
}

export class ConversationTree {
  private readonly nodes = new Map</* entry id */ string, Node>();
  private readonly requests = new Map<Place, string[]>();

  /** @param entries in the order in which they were added */
  constructor(private readonly entries: readonly TreeEntry[]) {
    entries.forEach((entry, index) => {
      this.add(entry, index);
    });
    for (const node of [...this.nodes.values()].reverse()) {
      if (node.parent) {
        node.parent.last = Math.max(node.parent.last, node.last);
      }
    }
  }

  /** `undefined` for what is no message of the user. */
  alternativesOf(id: string): Alternatives | undefined {
    const node = this.nodes.get(id);
    const ids = node && isRequest(node.entry) ? this.requests.get(node.before) : undefined;
    return ids && { ids, at: ids.indexOf(id) };
  }

  /** Messages of the user that were sent at a place, oldest first. */
  requestsAt(place: Place): readonly string[] {
    return this.requests.get(saidLast(this.nodeAt(place))) ?? [];
  }

  /** Where a message was sent; `undefined` for one that is not there. */
  placeBefore(id: string): Place | undefined {
    const node = this.nodes.get(id);
    return node && (node.parent?.entry.id ?? null);
  }

  /** Where the conversation that goes through an entry was last. */
  endBelow(id: string): string {
    return this.entries[this.nodes.get(id)?.last ?? -1]?.id ?? id;
  }

  /** Nothing was said after the place. */
  isEnd(place: Place): boolean {
    const said = saidLast(this.nodeAt(place));
    return ![...this.nodes.values()].some(({ entry, before }) => before === said && isSaid(entry));
  }

  private nodeAt(place: Place): Node | undefined {
    return place === null ? undefined : this.nodes.get(place);
  }

  private add(entry: TreeEntry, index: number): void {
    if (this.nodes.has(entry.id)) {
      return;
    }
    // a parent that comes later is none: what was added before its parent could be its own ancestor
    const parent = this.nodeAt(entry.parentId);
    const before = saidLast(parent);
    this.nodes.set(entry.id, { entry, parent, before, last: index });
    if (isRequest(entry)) {
      const others = this.requests.get(before);
      if (others) {
        others.push(entry.id);
      } else {
        this.requests.set(before, [entry.id]);
      }
    }
  }
}

function saidLast(node: Node | undefined): Place {
  return node && isSaid(node.entry) ? node.entry.id : (node?.before ?? null);
}

function isRequest({ type, message }: TreeEntry): boolean {
  return type === 'message' && message?.role === 'user';
}

/** Beside what is said there are settings, summaries and marks, which change nothing in what follows what. */
function isSaid({ type, message }: TreeEntry): boolean {
  return type === 'message' && message !== undefined && message.role !== 'system';
}
