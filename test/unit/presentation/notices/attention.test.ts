import { expect, it } from 'vitest';
import {
  newsText,
  notifyMode,
  wantsNotice,
} from '../../../../src/presentation/notices/attention.js';

it.each([
  ['off', false, false, false],
  ['windowNotFocused', true, false, false],
  ['windowNotFocused', false, true, true],
  ['always', true, true, false],
  ['always', true, false, true],
  ['always', false, true, true],
] as const)('%s: focused %s, seen %s', (mode, isFocused, isSeen, expected) => {
  expect(wantsNotice(mode, { isFocused, isSeen })).toBe(expected);
});

it('takes an unknown mode for the default', () => {
  expect(notifyMode('sometimes')).toBe('windowNotFocused');
  expect(notifyMode('always')).toBe('always');
});

it('names the conversation, and the folder where there are several', () => {
  expect(newsText({ kind: 'asks', title: 'Fix login' })).toBe('Pi needs you: Fix login');
  expect(newsText({ kind: 'answered', title: 'Fix login' }, 'shop')).toBe(
    'Pi has answered: Fix login in shop',
  );
  expect(newsText({ kind: 'failed', title: undefined })).toBe(
    'Pi could not go on: New Conversation',
  );
  expect(newsText({ kind: 'asks', title: 'x'.repeat(500) }).length).toBeLessThan(120);
});
