import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeAnyText, isWellFormed, toWellFormed } from '../../../../src/base/text/wellFormed.js';

const anyText = fc.string({ unit: 'binary' }).chain((text) =>
  fc.array(fc.integer({ min: 0xd800, max: 0xdfff }), { maxLength: 4 }).map((halves) => {
    const at = Math.floor(text.length / 2);
    return text.slice(0, at) + String.fromCharCode(...halves) + text.slice(at);
  }),
);

describe('encodeAnyText', () => {
  it('encodes well-formed text as encodeURIComponent does', () => {
    expect(encodeAnyText('a b/ä😀%uD800')).toBe(encodeURIComponent('a b/ä😀%uD800'));
  });

  it('encodes halves of pairs, wherever they stand', () => {
    expect(encodeAnyText('\ud800a\udfff')).toBe('%uD800a%uDFFF');
  });

  it('throws for no text and keeps different texts apart', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(encodeAnyText(a) === encodeAnyText(b)).toBe(a === b);
      }),
    );
  });
});

describe('toWellFormed', () => {
  it('changes halves of pairs alone', () => {
    expect(toWellFormed('\ud800a😀\udfff')).toBe('\ufffda😀\ufffd');
  });

  it('makes every text well-formed', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(isWellFormed(toWellFormed(text))).toBe(true);
        expect(isWellFormed(text)).toBe(toWellFormed(text) === text);
      }),
    );
  });
});
