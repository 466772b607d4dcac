import { expect, it } from 'vitest';
import { groupChoices, type ModelChoice } from '../../../../src/agent/models/choices.js';

const choice = (provider: string, id: string): ModelChoice => ({
  provider,
  id,
  label: id,
  source: provider,
  context: '200K',
  abilities: [],
  price: '',
});

const all = [
  choice('acme', 'small'),
  choice('acme', 'large'),
  choice('other', 'fast'),
  choice('other', 'deep'),
];
const [small, large, fast] = all;

function shown(own: Parameters<typeof groupChoices>[1], current?: ModelChoice) {
  return groupChoices(all, own, current).map(({ kind, choices }) => [
    kind,
    ...choices.map(({ id }) => id),
  ]);
}

it('shows pinned models first, in the order in which they were pinned, and nowhere else', () => {
  const gone = { provider: 'acme', id: 'gone' };
  const own = { pinned: [fast, gone, small].flatMap((one) => one ?? []), recent: [fast, large] };
  expect(shown({ ...own, recent: own.recent.flatMap((one) => one ?? []) }, large)).toEqual([
    ['pinned', 'fast', 'small'],
    ['recent', 'large'],
    ['source', 'deep'],
  ]);
});

it('lets a pinned model stand first while another one is used', () => {
  expect(shown({ pinned: all.slice(3), recent: [] }, small)).toEqual([
    ['pinned', 'deep'],
    ['recent', 'small'],
    ['source', 'large'],
    ['source', 'fast'],
  ]);
});

it('shows those used lately among the others, too, and no heading for nothing', () => {
  expect(shown({ pinned: [], recent: all.slice(0, 1) })).toEqual([
    ['recent', 'small'],
    ['source', 'small', 'large'],
    ['source', 'fast', 'deep'],
  ]);
  expect(groupChoices([], { pinned: [], recent: [] }, undefined)).toEqual([]);
});
