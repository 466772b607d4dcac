import { expect, it } from 'vitest';
import { labelText, withoutIcons } from '../../../../src/base/text/labelText.js';

it('draws nothing as an icon', () => {
  expect(withoutIcons('$(verified) by $(shield)')).not.toContain('$(');
});

it('keeps to one line, and shows what hides or turns text', () => {
  expect(labelText('one\n  two\u202Egnp.exe')).toBe('one two\\u202egnp.exe');
  expect(labelText('a\u200bb $(check)')).toBe('a\\u200bb $\u200b(check)');
});
