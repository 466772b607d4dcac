import { describe, expect, it } from 'vitest';
import { DeliberateKeys } from '../../../../src/webview/shared/deliberate.js';

describe('a key that allows a call', () => {
  it('does so once the question was there for a moment', () => {
    const keys = new DeliberateKeys();
    keys.show(['a'], 1_000);
    expect(keys.mayAllow('a', 1_100, false)).toBe(false);
    expect(keys.mayAllow('a', 2_000, false)).toBe(true);
    expect(keys.mayAllow('b', 2_000, false)).toBe(false);
  });

  it('does nothing while the user types something else', () => {
    const keys = new DeliberateKeys();
    keys.show(['a'], 0);
    keys.press(5_000);
    expect(keys.mayAllow('a', 5_200, false)).toBe(false);
    expect(keys.mayAllow('a', 5_200, true)).toBe(true);
    expect(keys.mayAllow('a', 6_000, false)).toBe(true);
  });

  it('is not taken for the next question', () => {
    const keys = new DeliberateKeys();
    keys.show(['a'], 0);
    expect(keys.mayAllow('a', 3_000, false)).toBe(true);
    keys.press(3_000);
    keys.show(['b'], 3_050);
    expect(keys.mayAllow('b', 3_100, false)).toBe(false);
    // the same question, asked again
    keys.show(['a'], 4_000);
    expect(keys.mayAllow('a', 4_100, true)).toBe(false);
  });

  it('counts no time in which the page was out of sight', () => {
    const keys = new DeliberateKeys();
    keys.show(['a'], 0);
    keys.forget(10_000);
    expect(keys.mayAllow('a', 10_100, false)).toBe(false);
    expect(keys.mayAllow('a', 11_000, false)).toBe(true);
  });
});
