import { expect, it } from 'vitest';
import { diagramsIn } from '../../../../../src/webview/shared/diagrams/mermaidText.js';

const fence = '```';

it('finds the fenced diagrams of a text', () => {
  const text = `Two:\n${fence}mermaid\ngraph TD\nA --> B\n${fence}\nand\n~~~~mermaid\npie\n~~~\n"A" : 1\n~~~~\n${fence}ts\n${fence}mermaid\nx\n${fence}`;
  expect(diagramsIn(text)).toEqual(['graph TD\nA --> B', 'pie\n~~~\n"A" : 1']);
});

it('leaves out what was cut, and more than ten', () => {
  expect(diagramsIn(`${fence}mermaid\ngraph TD\nA --> B`)).toEqual([]);
  expect(diagramsIn(`${fence}mermaid\npie\n${fence}\n`.repeat(30))).toHaveLength(10);
});

it.each([
  'graph TD\nA --> B',
  'flowchart LR;\n  A[One]',
  '%%{init: {}}%%\nsequenceDiagram\n  A->>B: x',
  '---\ntitle: x\n---\nstateDiagram-v2\n[*] --> A',
  'classDiagram\nclass A',
  'erDiagram\nA ||--o{ B : has',
  'pie title Pets\n"Dogs" : 3.5',
  'gantt\n  title A\n  dateFormat YYYY-MM-DD\n  section B\n  C : 2026-01-01, 2d',
  'mindmap\n  root((A))\n    B',
])('knows a text that is nothing but Mermaid: %j', (text) => {
  expect(diagramsIn(text)).toEqual([text]);
});

it.each([
  '',
  'graph TD',
  'graph\nA --> B',
  'graph of sales\nA --> B',
  'pie\nwith apples',
  'pie\n"A" : 1\nand apples',
  'gantt\nis a name',
  'gantt\nnote: 3 of them',
  'mindmap\nof me',
  'mindmap',
  'sequenceDiagram is a kind of Mermaid',
  'sequenceDiagram\nis a kind of mermaid',
  'A mermaid --> B',
])('leaves another text alone: %j', (text) => {
  expect(diagramsIn(text)).toEqual([]);
});
