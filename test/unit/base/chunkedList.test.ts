import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChunkedList } from '../../../src/base/chunkedList.js';

type Step =
  | { readonly kind: 'append'; readonly items: number }
  | { readonly kind: 'update'; readonly at: number; readonly length: number };

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('append' as const), items: fc.integer({ min: 1, max: 400 }) }),
    fc.record({
      kind: fc.constant('update' as const),
      at: fc.nat(1500),
      length: fc.integer({ min: 1, max: 600 }),
    }),
  ),
  { maxLength: 12 },
);

function play(plan: readonly Step[]) {
  let list = ChunkedList.empty<object>();
  let model: readonly object[] = [];
  const history = [{ list, model }];
  for (const step of plan) {
    if (step.kind === 'append') {
      const added: readonly object[] = Array.from({ length: step.items }, () => ({}));
      for (const item of added) {
        list = list.append(item);
      }
      model = [...model, ...added];
    } else {
      const end = step.at + step.length;
      const change = new Map(model.slice(step.at, end).map((item) => [item, {}]));
      list = list.update((item) => change.get(item) ?? item, step.at, Math.min(end, list.length));
      model = model.map((item) => change.get(item) ?? item);
    }
    history.push({ list, model });
  }
  return history;
}

it('holds what an array would hold, whatever was done to it, and never changes an older list', () => {
  fc.assert(
    fc.property(steps, fc.nat(1600), fc.nat(1600), (plan, first, end) => {
      for (const { list, model } of play(plan)) {
        expect(list.length).toBe(model.length);
        expect([...list].every((item, index) => item === model[index])).toBe(true);
        const part = list.slice(first, end);
        expect(part.length).toBe(model.slice(first, end).length);
        expect(part.every((item, index) => item === model[first + index])).toBe(true);
        expect(list.at(first)).toBe(model[first]);
      }
    }),
  );
});

it('finds what changed between any two of its states', () => {
  fc.assert(
    fc.property(steps, fc.nat(1600), (plan, first) => {
      const history = play(plan);
      const after = history.at(-1);
      for (const before of history) {
        const changed = after?.list.changedSince(before.list, first) ?? [];
        const expected = after?.model.filter(
          (item, index) => index >= first && item !== before.model[index],
        );
        expect(changed.length).toBe(expected?.length);
        expect(changed.every((item, index) => item === expected?.[index])).toBe(true);
      }
    }),
  );
});

it('is itself when an update changes nothing', () => {
  const list = ChunkedList.empty<number>().append(1).append(2);
  expect(list.update((item) => item)).toBe(list);
});
