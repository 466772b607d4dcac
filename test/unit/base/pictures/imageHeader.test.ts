import { describe, expect, it } from 'vitest';
import { judgeImage, maxImageBytes } from '../../../../src/base/pictures/acceptedImage.js';
import { readImageHeader } from '../../../../src/base/pictures/imageHeader.js';
import { gifOf, jpegOf, pngOf, webpOf } from '../../../helpers/pictures.js';

describe('the header of a picture', () => {
  it.each([
    ['PNG', pngOf(640, 480), 'image/png'],
    ['JPEG', jpegOf(640, 480), 'image/jpeg'],
    ['JPEG with long notes', jpegOf(640, 480, 60_000), 'image/jpeg'],
    ['GIF', gifOf(640, 480), 'image/gif'],
    ['lossy WebP', webpOf(640, 480, 'VP8 '), 'image/webp'],
    ['lossless WebP', webpOf(640, 480, 'VP8L'), 'image/webp'],
    ['extended WebP', webpOf(640, 480, 'VP8X'), 'image/webp'],
  ])('tells type and size of a %s', (_name, bytes, type) => {
    expect(readImageHeader(bytes)).toEqual({ type, size: { width: 640, height: 480 } });
  });

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a text', Buffer.from('GIF89, they said')],
    ['nothing', Buffer.alloc(0)],
    ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46])],
  ])('is not in %s', (_name, bytes) => {
    expect(readImageHeader(bytes)).toBeUndefined();
    expect(judgeImage(bytes)).toEqual({ kind: 'none' });
  });

  it.each([
    ['a PNG', pngOf(640, 480)],
    ['a JPEG', jpegOf(640, 480)],
    ['a GIF', gifOf(640, 480)],
    ['a WebP', webpOf(640, 480, 'VP8X')],
  ])('is damaged where %s ends early, at every place', (_name, bytes) => {
    for (let end = 12; end < Math.min(bytes.length, 24); end++) {
      const verdict = judgeImage(bytes.subarray(0, end));
      expect(['none', 'refused', 'image']).toContain(verdict.kind);
    }
    expect(judgeImage(bytes.subarray(0, 12)).kind).not.toBe('none');
  });
});

describe('a picture', () => {
  it('is taken by what it is, up to its bytes and pixels', () => {
    expect(judgeImage(pngOf(1, 1))).toEqual({ kind: 'image', type: 'image/png' });
    expect(judgeImage(pngOf(8_000, 8_000)).kind).toBe('image');
    expect(judgeImage(pngOf(8_001, 8_000))).toEqual({ kind: 'refused', reason: 'pixels' });
    expect(judgeImage(pngOf(60_000, 1))).toEqual({ kind: 'refused', reason: 'pixels' });
    expect(judgeImage(pngOf(0, 5))).toEqual({ kind: 'refused', reason: 'damaged' });
    expect(judgeImage(pngOf(1, 1), maxImageBytes + 1)).toEqual({
      kind: 'refused',
      reason: 'bytes',
    });
  });
});
