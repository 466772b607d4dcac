import { type MermaidArt, render } from 'grok-mermaid';
import { expect, it } from 'vitest';
import { pictureOf } from '../../../../src/webview/diagram/picture.js';

const colors = { text: '#111', line: '#222', label: '#333' };

function draw(source: string) {
  const art = render(source);
  return art ? pictureOf(art.styled, art.width, colors) : undefined;
}

it('writes every word once, in reading order, in the colour of its kind', () => {
  const picture = draw('graph LR\nA["Open (cart)"] -- then --> B{Empty?}');
  expect([...(picture?.words ?? [])].sort()).toEqual(['Empty?', 'Open (cart)', 'then']);
  expect(picture?.svg).toMatch(/fill="#333">then<\/text>/);
  expect(picture?.svg.match(/<text /g)).toHaveLength(3);
});

it('draws lines and heads as paths, and leaves no sign of them in the words', () => {
  const picture = draw('classDiagram\nA <|-- B\nA *-- C\nA ..> D\nE ==> F');
  const flow = draw('graph TD\nA --> B\nA -.-> C\nA ==> D\nB x--x C');
  for (const { svg, words } of [picture, flow].flatMap((one) => one ?? [])) {
    expect(svg).toContain('<path d="M');
    expect(words.join('')).not.toMatch(/[\u2500-\u25ff×]/);
  }
  expect(flow?.svg).toContain('stroke-dasharray');
  expect(flow?.svg).toContain('stroke-width="2"');
});

it('has words and colours as nothing but text', () => {
  const rows: MermaidArt['styled'] = [
    [{ text: '</text><script>x</script>&\u0000\u001b"', cls: 'text' }],
  ];
  const line = '"/><script>y</script>';
  const svg = pictureOf(rows, 40, { ...colors, line, text: line })?.svg ?? '';
  expect(svg).not.toContain('<script');
  expect(svg).toContain('\\u0000\\u001b');
  expect(svg).toContain('&lt;script&gt;x&lt;/script&gt;&amp;');
});

it('gives a wide character two cells', () => {
  const rows: MermaidArt['styled'] = [
    [
      { text: '支払い', cls: 'text' },
      { text: '│', cls: 'edge' },
    ],
  ];
  const svg = pictureOf(rows, 7, colors)?.svg ?? '';
  expect(svg).toContain(`textLength="${6 * 8}"`);
  // in the middle of the seventh cell
  expect(svg).toContain(`M${8 + 6 * 8 + 4.5} `);
});

it('draws nothing that is too large', () => {
  const row: MermaidArt['styled'][number] = [{ text: '─'.repeat(1_000), cls: 'edge' }];
  expect(pictureOf(Array(401).fill(row), 1_000, colors)).toBeUndefined();
  expect(pictureOf(Array(10).fill(row), 1_000, colors)).toBeDefined();
});
