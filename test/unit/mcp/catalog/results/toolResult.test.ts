import { expect, it } from 'vitest';
import {
  mapToolResult,
  maxCharactersOf,
} from '../../../../../src/mcp/catalog/results/toolResult.js';
import { jpegOf, pngOf } from '../../../../helpers/pictures.js';

const png = pngOf(1, 1).toString('base64');
const image = { type: 'image', data: png, mimeType: 'image/png' };
const jpeg = jpegOf(1, 1).toString('base64');
const base64 = 'QUJD'.repeat(1_000);

function map(content: readonly object[], isError = false, structuredContent?: unknown) {
  return mapToolResult({ content: content as never, isError, structuredContent }).content;
}

function text(value: string) {
  return { type: 'text', text: value };
}

it.each([
  ['text', text('hi'), text('hi')],
  ['an image', image, image],
  [
    'a PNG that is a JPEG',
    { type: 'image', data: jpeg, mimeType: 'image/png' },
    { type: 'image', data: jpeg, mimeType: 'image/jpeg' },
  ],
  [
    'an SVG',
    { type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' },
    text('[image image/svg+xml: 6 bytes, not shown]'),
  ],
  [
    'a PNG that is an SVG',
    { type: 'image', data: 'PHN2Zy8+', mimeType: 'image/png' },
    text('[image image/png: 6 bytes, not shown]'),
  ],
  [
    'an image that is no base64',
    { type: 'image', data: '!"onerror="', mimeType: 'image/png' },
    text('[image image/png: 8 bytes, not shown]'),
  ],
  ['an image without data', { type: 'image' }, text('[image: 0 bytes, not shown]')],
  [
    'audio',
    { type: 'audio', data: base64, mimeType: 'audio/wav' },
    text('[audio audio/wav: 3000 bytes, not shown]'),
  ],
  [
    'a text resource',
    { type: 'resource', resource: { uri: 'demo://a', text: 'inside' } },
    text('[resource demo://a]\ninside'),
  ],
  [
    'a binary resource',
    { type: 'resource', resource: { uri: 'demo://a', blob: base64, mimeType: 'application/zip' } },
    text('[resource demo://a application/zip: 3000 bytes, not shown]'),
  ],
  [
    'an image resource',
    { type: 'resource', resource: { uri: 'demo://a', blob: png, mimeType: 'image/png' } },
    image,
  ],
  [
    'a link',
    {
      type: 'resource_link',
      uri: 'demo://a',
      name: 'A',
      description: 'Of a',
      mimeType: 'text/plain',
      size: 3,
    },
    text('[resource link] A <demo://a> (text/plain, 3 bytes): Of a'),
  ],
  ['something new', { type: 'video', frames: 3 }, text('[video] {"type":"video","frames":3}')],
  [
    'something new and binary',
    { type: 'video', data: base64 },
    text('[video] {"type":"video","data":"(3000 bytes, not shown)"}'),
  ],
])('maps %s', (_what, block, expected) => {
  expect(map([block])).toEqual([expected]);
});

it('falls back to structured content, then to a plain word', () => {
  expect(map([], false, { a: 1 })).toEqual([text('{\n  "a": 1\n}')]);
  expect(map([])).toEqual([text('(empty result)')]);
  expect(map([], true)).toEqual([text('[error] (no detail)')]);
});

it('marks an error once, on the first text', () => {
  expect(map([text('a'), text('b')], true)).toEqual([text('[error] a'), text('b')]);
  expect(map([image, text('a')], true)).toEqual([image, text('[error] a')]);
  expect(map([image], true)).toEqual([text('[error] (no detail)'), image]);
  expect(map([text('[error] a')], true)).toEqual([text('[error] a')]);
});

it('leaves up to 30,000 characters untouched', () => {
  const content = [text('a'.repeat(15_000)), text('b'.repeat(15_000))];
  expect(mapToolResult({ content, isError: false })).toEqual({ content, isError: false });
});

it('keeps the head and the tail of a longer text and warns first', () => {
  const long = 'A'.repeat(40_000) + 'M'.repeat(20_000) + 'Z'.repeat(20_000);
  const { content, fullText } = mapToolResult({ content: [text(long)], isError: false });
  const shown = content[0]?.type === 'text' ? content[0].text : '';
  expect(shown).toBe(
    `MCP_RESULT_TRUNCATED: 50,000 characters (~12500 tokens) were omitted from the middle of this tool result. Do not assume the missing content was irrelevant. Next step: call the MCP tool again with a smaller scope, narrower filter, or pagination to inspect the omitted content.\n\n${'A'.repeat(18_000)}\n\n[--- MCP_RESULT_TRUNCATED: omitted middle content. Use a smaller scope, narrower filter, or pagination to inspect it. ---]\n\n${'Z'.repeat(12_000)}`,
  );
  expect(fullText).toBe(long);
});

it('joins cut texts where the first one stood and keeps the images', () => {
  const { content, fullText } = mapToolResult({
    content: [image, text('a'.repeat(20_000)), image, text('b'.repeat(20_000))],
    isError: true,
  });
  expect(content.map(({ type }) => type)).toEqual(['image', 'text', 'image']);
  expect(content[1]).toMatchObject({
    text: expect.stringMatching(/^MCP_RESULT_TRUNCATED: 10,010 .*\n\n\[error\] a/),
  });
  expect(fullText).toHaveLength(40_010);
});

it('never cuts a character in half', () => {
  for (const shift of ['', 'x']) {
    const long = shift + '💥'.repeat(30_000);
    const block = mapToolResult({ content: [text(long)], isError: false }).content[0];
    expect(block?.type === 'text' && /\p{Surrogate}/u.test(block.text)).toBe(false);
  }
});

it.each([
  [undefined, 30_000],
  [{}, 30_000],
  [{ enabled: true, maxChars: 5 }, 5],
  [{ enabled: false, maxChars: 5 }, Number.POSITIVE_INFINITY],
])('with %j lets %d characters through', (setting, expected) => {
  expect(maxCharactersOf(setting)).toBe(expected);
});
