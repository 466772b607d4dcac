import { expect, it } from 'vitest';
import { readTabState } from '../../../src/presentation/tabState.js';

it.each([
  [
    { conversation: 'a-1.jsonl', folder: 'file:///app', isBegun: true },
    'a-1.jsonl',
    'file:///app',
    true,
  ],
  [{ conversation: '../a.jsonl', isBegun: 'yes' }, undefined, undefined, false],
  [{ conversation: 'a/b.jsonl', folder: 7 }, undefined, undefined, false],
  [undefined, undefined, undefined, false],
  ['text', undefined, undefined, false],
])('reads of %j what can be true', (saved, conversation, folder, isBegun) => {
  expect(readTabState(saved)).toEqual({ conversation, folder, isBegun });
});
