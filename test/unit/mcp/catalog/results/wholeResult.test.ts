import { expect, it } from 'vitest';
import { mapToolResult } from '../../../../../src/mcp/catalog/results/toolResult.js';
import { readWholeResult } from '../../../../../src/mcp/catalog/results/wholeResult.js';
import { pngOf } from '../../../../helpers/pictures.js';

const audio = { type: 'audio', data: 'QUJD', mimeType: 'audio/wav' };
const png = pngOf(1, 1).toString('base64');
const image = { type: 'image', data: png, mimeType: 'image/png' };
const svg = { type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' };

it('holds all text, structured content, and binary parts that are no images for a model', () => {
  const text = 'x'.repeat(40_000);
  const zip = { type: 'resource', resource: { uri: 'demo://z', blob: 'UEs=' } };
  const whole = readWholeResult({
    content: [{ type: 'text', text }, audio, image, svg, zip],
    structuredContent: { a: 1 },
    isError: false,
  });
  expect(whole.text).toContain(text);
  expect(whole.text).toContain('"a": 1');
  expect(whole.attachments).toEqual([
    { mimeType: 'audio/wav', data: 'QUJD' },
    { mimeType: 'image/svg+xml', data: 'PHN2Zy8+' },
    { mimeType: 'application/octet-stream', data: 'UEs=' },
  ]);
});

it('gives a model ten images at most, and none that providers refuse for its size', () => {
  const mapped = (content: readonly object[]) =>
    mapToolResult({ content: content as never, isError: false }).content.map(({ type }) => type);
  expect(mapped(Array.from({ length: 12 }, () => image)).filter((t) => t === 'image')).toHaveLength(
    10,
  );
  expect(mapped([{ ...image, data: png + 'A'.repeat(7_000_000) }])).toEqual(['text']);
});
