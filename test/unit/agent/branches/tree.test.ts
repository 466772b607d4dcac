import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ConversationTree,
  type Place,
  type TreeEntry,
} from '../../../../src/agent/branches/tree.js';

const entry = (id: string, parentId: string | null, role?: string): TreeEntry => ({
  id,
  parentId,
  type: role === undefined ? 'custom' : 'message',
  ...(role !== undefined && { message: { role } }),
});

/** A file to which entries are only added, as Pi's. */
class Conversation {
  readonly entries: TreeEntry[] = [];
  leaf: Place = null;

  add(role?: string): string {
    const id = `e${this.entries.length}`;
    this.entries.push(entry(id, this.leaf, role));
    this.leaf = id;
    return id;
  }

  goTo(place: Place): void {
    this.leaf = place;
    this.add();
  }

  get tree(): ConversationTree {
    return new ConversationTree(this.entries);
  }

  /** What was said up to a place. */
  said(place: Place = this.leaf): readonly string[] {
    const ids: string[] = [];
    let found = this.entries.find(({ id }) => id === place);
    while (found) {
      if (found.message && found.message.role !== 'system') {
        ids.unshift(found.id);
      }
      const { parentId } = found;
      found = this.entries.find(({ id }) => id === parentId);
    }
    return ids;
  }

  requests(place: Place = this.leaf): readonly string[] {
    return this.said(place).filter((id) => this.isRequest(id));
  }

  isRequest(id: string): boolean {
    return this.entries.find((one) => one.id === id)?.message?.role === 'user';
  }
}

describe('the tree of a conversation', () => {
  it('knows the messages that were sent in the place of one another, whatever stands between', () => {
    const tree = new ConversationTree([
      entry('model', null),
      entry('tools', 'model', 'system'),
      entry('one', 'tools', 'user'),
      entry('answer', 'one', 'assistant'),
      entry('summary', 'answer'),
      entry('two', 'summary', 'user'),
      entry('mark', 'answer'),
      entry('other', 'mark', 'user'),
      entry('first again', null, 'user'),
    ]);
    expect(tree.alternativesOf('two')).toEqual({ ids: ['two', 'other'], at: 0 });
    expect(tree.alternativesOf('other')).toEqual({ ids: ['two', 'other'], at: 1 });
    expect(tree.alternativesOf('one')).toEqual({ ids: ['one', 'first again'], at: 0 });
    expect(tree.alternativesOf('answer')).toBeUndefined();
    expect(tree.alternativesOf('gone')).toBeUndefined();
    expect(tree.requestsAt('mark')).toEqual(['two', 'other']);
    expect(tree.requestsAt(null)).toEqual(['one', 'first again']);
    expect(tree.requestsAt('two')).toEqual([]);
    expect(tree.placeBefore('two')).toBe('summary');
    expect(tree.placeBefore('first again')).toBeNull();
    expect(tree.placeBefore('gone')).toBeUndefined();
    expect([tree.isEnd('two'), tree.isEnd('answer'), tree.isEnd('mark')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('goes on where a branch was last', () => {
    const tree = new ConversationTree([
      entry('one', null, 'user'),
      entry('answer', 'one', 'assistant'),
      entry('two', 'answer', 'user'),
      entry('three', 'answer', 'user'),
      entry('mark', 'two'),
    ]);
    expect(tree.endBelow('one')).toBe('mark');
    expect(tree.endBelow('three')).toBe('three');
    expect(tree.endBelow('gone')).toBe('gone');
  });

  it('ends with any file, also one whose entries are below themselves', () => {
    const tree = new ConversationTree([
      entry('a', 'b', 'user'),
      entry('b', 'a', 'user'),
      entry('a', 'a', 'user'),
      entry('c', 'nowhere', 'user'),
    ]);
    expect(tree.alternativesOf('a')?.ids).toEqual(['a', 'c']);
    expect(tree.endBelow('a')).toBe('b');
  });

  it('loses and doubles no message, in whatever order the user goes through it', () => {
    const number = fc.nat(50);
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('say' as const), hasAnswer: fc.boolean() }),
        fc.record({ kind: fc.constantFrom('note' as const, 'reload' as const) }),
        fc.record({ kind: fc.constant('back' as const), which: number }),
        fc.record({ kind: fc.constant('other' as const), which: number, by: number }),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (all) => {
        const one = new Conversation();
        const sent: string[] = [];
        for (const step of all) {
          take(one, step, sent);
          const { tree } = one;
          const lists = new Set(sent.map((id) => tree.alternativesOf(id)?.ids));
          expect([...lists].flatMap((ids) => ids ?? []).sort()).toEqual([...sent].sort());
          for (const id of sent) {
            const { ids = [], at = -1 } = tree.alternativesOf(id) ?? {};
            expect(ids[at]).toBe(id);
            expect(one.requests(tree.endBelow(id))).toContain(id);
          }
        }
      }),
    );
  });
});

type Step =
  | { readonly kind: 'say'; readonly hasAnswer: boolean }
  | { readonly kind: 'note' | 'reload' }
  | { readonly kind: 'back'; readonly which: number }
  | { readonly kind: 'other'; readonly which: number; readonly by: number };

function take(one: Conversation, step: Step, sent: string[]): void {
  const requests = one.requests();
  const picked = 'which' in step ? requests[step.which % (requests.length || 1)] : undefined;
  switch (step.kind) {
    case 'say':
      sent.push(one.add('user'));
      if (step.hasAnswer) {
        one.add('assistant');
      }
      break;
    case 'note':
      one.add();
      break;
    case 'reload': {
      const said = one.said();
      one.leaf = one.entries.at(-1)?.id ?? null;
      expect(one.said()).toEqual(said);
      break;
    }
    case 'back':
      if (picked !== undefined) {
        const said = one.said();
        one.goTo(one.tree.placeBefore(picked) ?? null);
        expect(one.said()).toEqual(said.slice(0, said.indexOf(picked)));
        expect(one.tree.requestsAt(one.leaf)).toContain(picked);
        expect(one.tree.isEnd(one.leaf)).toBe(false);
      }
      break;
    case 'other':
      if (picked !== undefined) {
        const said = one.said();
        const { ids = [] } = one.tree.alternativesOf(picked) ?? {};
        const other = ids[step.by % ids.length] ?? picked;
        one.goTo(one.tree.endBelow(other));
        expect(one.said().slice(0, said.indexOf(picked) + 1)).toEqual([
          ...said.slice(0, said.indexOf(picked)),
          other,
        ]);
      }
      break;
  }
}
