import { expect, it } from 'vitest';
import { tell } from '../helpers/pages/host.js';
import { faultsInAllLooks } from '../helpers/pages/looks.js';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { runOutcome, runToolView } from '../helpers/pages/states/runTool.mjs';
import { toolStart } from '../helpers/pages/states/server.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const answering = (text: string) => {
  const transcript = [{ id: 'a1', kind: 'assistant', text, isStreaming: false }];
  const ready = { ...agentSnapshots.empty, transcript };
  return pages.open({ page: 'agent', replies: { ready }, width: 420, height: 900 });
};

const diagrams = {
  flow: 'flowchart LR\nA["Open (cart)"] --> B{"Empty?"}\nB -- no --> C([Pay])\nB -.->|yes| D((End))\nC ==> E[(支払い)]',
  sequence:
    'sequenceDiagram\nBuyer->>Shop: Pay\nShop-->>Buyer: Receipt\nShop-xBank: lost\nloop twice\nBank->>Bank: try\nend',
  state: 'stateDiagram-v2\n[*] --> Open\nOpen --> Paid: pay\nPaid --> [*]',
  class:
    'classDiagram\nclass Cart {\n+int total\n+pay()\n}\nCart *-- Line\nCart <|-- Basket\nCart ..> Bank',
  pie: 'pie showData title Pets\n"Dogs" : 386\n"Cats" : 85\n"Rats" : 15\n"Fish" : 12\n"Birds" : 150',
  gantt:
    'gantt\ntitle Plan\ndateFormat YYYY-MM-DD\nsection First\nRead : done, a, 2026-01-05, 2d\nWrite : active, b, after a, 1w\nCheck : crit, after b, 3d\nsection Last\nShip : milestone, 2026-01-20, 0d',
  mindmap:
    'mindmap\n  root((Trip))\n    Pack\n      Warm socks\n      [Tickets]\n    Go\n      (By train)\n      Back again',
};

it('draws each kind of diagram, in every theme and width', async () => {
  const fence = '```';
  const text = Object.values(diagrams)
    .map((source) => `${fence}mermaid\n${source}\n${fence}`)
    .join('\n\n');
  const page = await answering(text);
  const buttons = page.getByRole('button', { name: 'Show Diagram' });
  for (let left = Object.keys(diagrams).length; left > 0; left--) {
    await buttons.first().click();
    await expect.poll(() => buttons.count()).toBe(left - 1);
  }
  expect(await faultsInAllLooks(page, 'diagrams')).toEqual([]);
  expect(await page.locator('img.diagram-picture').count()).toBe(7);
});

it('draws a diagram anew when the theme is another one', async () => {
  const text = '```mermaid\ngraph TD\nA --> B\n```';
  const page = await answering(text);
  await page.getByRole('button', { name: 'Show Diagram' }).click();
  const picture = page.locator('img.diagram-picture');
  await picture.waitFor();
  expect(await picture.getAttribute('src')).not.toContain('123456');
  await page.evaluate(() => {
    document.body.style.setProperty('--vscode-foreground', '#123456');
    document.body.className = 'vscode-light';
  });
  await expect.poll(() => picture.getAttribute('src')).toContain('123456');
});

it('shows the text that the user went back to while the diagram was drawn anew', async () => {
  const block = (name: string) => `\`\`\`mermaid\ngraph TD\n${name} --> End\n\`\`\``;
  const page = await answering(`${block('First')}\n\n${block('Second')}`);
  await page.getByRole('button', { name: 'Show Diagram' }).first().click();
  const hide = page.getByRole('button', { name: 'Hide Diagram' });
  await hide.waitFor();
  await hide.evaluate(async (button: HTMLElement) => {
    document.body.classList.add('vscode-light');
    await Promise.resolve();
    button.click();
  });
  // begun later, it is there later
  await page.getByRole('button', { name: 'Show Diagram' }).last().click();
  await page.getByRole('img', { name: /Second/ }).waitFor();
  expect(await page.locator('img.diagram-picture').count()).toBe(1);
  expect(await page.locator('.code-lines').first().isVisible()).toBe(true);
});

it('keeps the page when a result whose diagram is shown gets another one', async () => {
  const call = (text: string) => ({
    id: 'c1',
    kind: 'tool',
    tool: 'shop__plan',
    mcp: { server: 'shop', tool: 'plan' },
    status: 'running',
    args: '{}',
    result: [{ kind: 'text', text }],
    files: [],
  });
  const fence = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\``;
  const transcript = [call(fence(diagrams.pie))];
  const ready = { ...agentSnapshots.empty, transcript };
  const page = await pages.open({ page: 'agent', replies: { ready }, width: 420 });
  await page.getByRole('button', { name: 'Show Diagram' }).click();
  await page.getByRole('img', { name: /^Diagram: Pets/ }).waitFor();
  await tell(page, 'entries', [call(`${fence(diagrams.pie)}\n${fence(diagrams.gantt)}`)]);
  await page.getByRole('button', { name: 'Show Diagram 2' }).click();
  await page.getByRole('img', { name: /^Diagram: Plan/ }).waitFor();
});

it('names a kind that cannot be drawn, and keeps its text', async () => {
  const page = await answering('```mermaid\njourney\ntitle My day\n```');
  await page.getByRole('button', { name: 'Show Diagram' }).click();
  await page.getByText('Diagrams of the kind journey cannot be drawn here.').waitFor();
  expect(await page.locator('.code-lines').isVisible()).toBe(true);
});

const fenced = `Two of them:\n\`\`\`mermaid\n${diagrams.pie}\n\`\`\`\nand\n\`\`\`mermaid\n${diagrams.gantt}\n\`\`\``;

it('draws what a tool answered in its card', async () => {
  const call = (id: string, text: string) => ({
    id,
    kind: 'tool',
    tool: 'shop__plan',
    mcp: { server: 'shop', tool: 'plan' },
    status: 'done',
    args: '{}',
    result: [{ kind: 'text', text }],
    files: [],
  });
  const transcript = [call('c1', fenced), call('c2', diagrams.mindmap), call('c3', 'A --> B')];
  const ready = { ...agentSnapshots.empty, transcript };
  const page = await pages.open({ page: 'agent', replies: { ready }, width: 280, height: 900 });
  await page.getByRole('button', { name: 'Show Diagram 2' }).press('Enter');
  await page.getByRole('img', { name: /^Diagram: Plan, First, Read/ }).waitFor();
  await page.getByRole('button', { name: 'Show Diagram', exact: true }).click();
  const picture = page.getByRole('img', { name: /^Diagram: Trip, Pack/ });
  await picture.waitFor();
  expect(await faultsInAllLooks(page, 'diagram-cards')).toEqual([]);
  await page.getByRole('button', { name: 'Hide Diagram', exact: true }).click();
  await picture.waitFor({ state: 'detached' });
  expect(await page.locator('[data-entry=c3] .result-diagram').count()).toBe(0);
});

it('draws the result of Run Tool, and each anew', async () => {
  const outcome = { ...runOutcome, structured: undefined };
  const view = { ...runToolView, inputSchema: { type: 'object' }, history: [] };
  const ended = (text: string) => ({
    kind: 'ended',
    outcome: { ...outcome, blocks: [{ kind: 'text', text }] },
    view,
  });
  const replies = {
    ...toolStart,
    ready: { kind: 'tool', view },
    check: null,
    run: ended(fenced),
  };
  const page = await pages.open({ page: 'server', replies, width: 280, height: 900 });
  const run = page.getByRole('button', { name: 'Run', exact: true });
  await run.click();
  await page.getByRole('button', { name: 'Show Diagram 1' }).click();
  await page.getByRole('img', { name: /^Diagram: Pets/ }).waitFor();
  expect(await faultsInAllLooks(page, 'run-tool-diagram')).toEqual([]);
  await run.click();
  await page.getByRole('button', { name: 'Show Diagram 1' }).waitFor();
  expect(await page.locator('img.diagram-picture').count()).toBe(0);
});
