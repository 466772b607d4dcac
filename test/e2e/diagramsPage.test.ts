/** Diagrams of answers on the page of the Pi Agent view, in a real browser: kinds, themes and widths. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pageViolations } from '../helpers/e2e/appearance.js';
import { repository } from '../workbench/paths.mjs';
import { startPreview } from '../workbench/preview/harness.mjs';
import { agentSnapshots } from '../workbench/preview/states.mjs';
import { themes } from '../workbench/preview/themes.mjs';

const pictures = join(repository, 'test-results', 'pages');
let preview: Awaited<ReturnType<typeof startPreview>>;

beforeAll(async () => {
  preview = await startPreview();
  mkdirSync(pictures, { recursive: true });
});
afterAll(() => preview.close());

const answering = (text: string, width = 420, theme = 'dark') => {
  const transcript = [{ id: 'a1', kind: 'assistant', text, isStreaming: false }];
  const ready = { ...agentSnapshots.empty, transcript };
  return preview.open({ page: 'agent', replies: { ready }, theme, width, height: 900 });
};

const diagrams = {
  flow: 'flowchart LR\nA["Open (cart)"] --> B{"Empty?"}\nB -- no --> C([Pay])\nB -.->|yes| D((End))\nC ==> E[(支払い)]',
  sequence:
    'sequenceDiagram\nBuyer->>Shop: Pay\nShop-->>Buyer: Receipt\nShop-xBank: lost\nloop twice\nBank->>Bank: try\nend',
  state: 'stateDiagram-v2\n[*] --> Open\nOpen --> Paid: pay\nPaid --> [*]',
  class:
    'classDiagram\nclass Cart {\n+int total\n+pay()\n}\nCart *-- Line\nCart <|-- Basket\nCart ..> Bank',
};

it.each(Object.keys(themes).flatMap((theme) => [280, 700].map((width) => [theme, width] as const)))(
  'draws each kind of diagram in the %s theme at %i px',
  async (theme, width) => {
    const fence = '```';
    const text = Object.values(diagrams)
      .map((source) => `${fence}mermaid\n${source}\n${fence}`)
      .join('\n\n');
    const page = await answering(text, width, theme);
    const buttons = page.getByRole('button', { name: 'Show Diagram' });
    for (let left = Object.keys(diagrams).length; left > 0; left--) {
      await buttons.first().click();
      await expect.poll(() => buttons.count()).toBe(left - 1);
    }
    expect(await page.locator('img.diagram-picture').count()).toBe(4);
    await page.locator('.diagram').first().scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(pictures, `diagrams-${theme}-${width}.png`) });
    expect(await pageViolations(page, '--vscode-sideBar-background')).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
    await page.close();
  },
);

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
  await page.close();
});
