import { expect, it } from 'vitest';
import {
  imageData,
  maxIconLength,
  parseIcons,
} from '../../../../../src/mcp/connection/reading/parseIcons.js';

const png = 'data:image/png;base64,iVBORw0KGgo=';

it.each([
  ['png', png, png],
  ['jpg', 'data:image/jpg;base64,AAAA', 'data:image/jpeg;base64,AAAA'],
  ['webp', 'data:image/WebP;base64,AAAA', 'data:image/webp;base64,AAAA'],
  [
    'svg as text',
    'data:image/svg+xml;charset=utf-8,%3Csvg/%3E',
    'data:image/svg+xml;base64,PHN2Zy8+',
  ],
  ['gif', 'data:image/gif;base64,AAAA', undefined],
  ['a page', 'data:text/html,<script>1</script>', undefined],
  ['no base64', 'data:image/png;base64,"><img onerror=x>', undefined],
  ['a broken escape', 'data:image/svg+xml,%', undefined],
  ['too large', `data:image/png;base64,${'A'.repeat(maxIconLength)}`, undefined],
])('takes %s as an image or not at all', (_, address, expected) => {
  expect(imageData(address)).toBe(expected);
});

it.each([
  ['javascript:alert(1)'],
  ['http://plain.example/icon.png'],
  ['file:///etc/passwd'],
  ['ui://shop/icon'],
  [42],
])('refuses the address %s', (src) => {
  expect(parseIcons({ icons: [{ src }] })).toEqual({});
});

it('keeps one icon for each kind of theme, and images rather than addresses', () => {
  const icons = [
    { src: 'https://shop.example/any.png' },
    { src: png },
    { src: 'data:image/png;base64,BBBB' },
    { src: 'https://shop.example/dark.png', theme: 'dark' },
    { src: png, theme: 'sepia' },
    'nothing',
  ];
  expect(parseIcons({ icons })).toEqual({
    icons: [{ src: png }, { src: 'https://shop.example/dark.png', theme: 'dark' }],
  });
});
