import { describe, expect, it } from 'vitest';
import { fitsTemplate } from '../../../../src/gateway/lending/resourceOwner.js';

describe('fitsTemplate', () => {
  it.each([
    ['weather://{city}', 'weather://Oslo', true],
    ['weather://{city}', 'weather://{city}', true],
    ['weather://{city}/now', 'weather://Oslo/now', true],
    ['weather://{city}/now', 'weather://Oslo/then', false],
    ['a://{x}/b/{y}/c', 'a://1/b/2/c', true],
    ['a://{x}/b/{y}/c', 'a://1/2/c', false],
    ['a://{x}aba', 'a://aba', true],
    ['aba{x}aba', 'aba', false],
    ['note://one', 'note://one', true],
    ['note://one', 'note://one/more', false],
    ['file:///{+path}', 'other:///x', false],
  ])('%s and %s: %s', (template, uri, fits) => {
    expect(fitsTemplate(template, uri)).toBe(fits);
  });

  it('takes no longer than the texts are long', () => {
    const template = `x${'{a}b'.repeat(50_000)}c`;
    expect(fitsTemplate(template, `x${'b'.repeat(200_000)}`)).toBe(false);
  });
});
