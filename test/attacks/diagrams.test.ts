/** Diagrams, code and links of answers that try to run, to load or to lead somewhere. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPreview } from '../workbench/preview/harness.mjs';
import { agentSnapshots } from '../workbench/preview/states.mjs';

let preview: Awaited<ReturnType<typeof startPreview>>;

beforeAll(async () => {
  preview = await startPreview();
});
afterAll(() => preview.close());

interface Canary {
  readonly canaryRan?: boolean;
}

async function answering(text: string): Promise<{ page: Page; asked: string[] }> {
  const transcript = [{ id: 'a1', kind: 'assistant', text, isStreaming: false }];
  const page = await preview.open({
    page: 'agent',
    replies: { ready: { ...agentSnapshots.empty, transcript } },
    width: 420,
  });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  return { page, asked };
}

const hasRun = (page: Page) =>
  page.evaluate(() => (window as unknown as Canary).canaryRan === true);
const sent = (page: Page, type: string) =>
  page.evaluate(
    (wanted) =>
      (window as unknown as { sent: { type: string; params: unknown }[] }).sent
        .filter((one) => one.type === wanted)
        .map(({ params }) => params),
    type,
  );
const run = 'window.canaryRan=true';
const labels = {
  script: `A[<script>${run}</script>] --> B`,
  'foreign object': `A["<svg><foreignObject><img src=x onerror=${run}></foreignObject></svg>"] --> B`,
  image: 'A["<img src=\'https://canary.invalid/pixel.png\'>"] --> B',
  'click handler': `A --> B\nclick A call eval("${run}")\nclick B "javascript:${run}"`,
  directive: `%%{init: {"securityLevel": "loose", "themeCSS": "@import 'https://canary.invalid/a.css'"}}%%\nA --> B`,
};

describe('a hostile diagram', () => {
  it('would be noticed: the canary runs where the page itself is asked to', async () => {
    const { page } = await answering('nothing');
    await page.evaluate(run);
    expect(await hasRun(page)).toBe(true);
    await page.close();
  });

  it.each(Object.entries(labels))('does nothing with a %s', async (_what, label) => {
    const { page, asked } = await answering(`\`\`\`mermaid\ngraph TD\n${label}\n\`\`\``);
    await page.getByRole('button', { name: 'Show Diagram' }).click();
    const picture = page.locator('img.diagram-picture');
    await picture.waitFor();
    expect(await picture.getAttribute('src')).toMatch(/^data:image\/svg\+xml;/);
    await picture.evaluate((one: HTMLImageElement) => one.decode());
    await picture.click();
    expect(
      await page.locator('.code-block :is(script, svg, foreignObject, iframe, a)').count(),
    ).toBe(0);
    const svg = decodeURIComponent((await picture.getAttribute('src'))?.split(',')[1] ?? '');
    expect([...svg.matchAll(/<(\w+)/g)].map(([, name]) => name)).not.toContain('script');
    expect(new Set([...svg.matchAll(/<(\w+)/g)].map(([, name]) => name))).toEqual(
      new Set(['svg', 'path', 'g', 'text']),
    );
    expect(await hasRun(page)).toBe(false);
    expect(asked.filter((url) => url.includes('canary'))).toEqual([]);
    await page.close();
  });

  it('is drawn by a click alone', async () => {
    const { page, asked } = await answering('```mermaid\ngraph TD\nA --> B\n```');
    await page.getByRole('button', { name: 'Show Diagram' }).waitFor();
    expect(asked.filter((url) => url.endsWith('diagram.js'))).toEqual([]);
    expect(await page.locator('img').count()).toBe(0);
    await page.close();
  });

  const many = (line: (at: number) => string, count: number) =>
    Array.from({ length: count }, (_item, at) => line(at)).join('\n');
  const large = {
    'a megabyte': many((at) => `A${at} --> A${(at * 31) % 5_000}`, 60_000),
    'a megabyte in one line': `A[${'x'.repeat(1_000_000)}]`,
    'many crossing lines': many((at) => `A${at % 19} --> A${(at * 7) % 23}`, 390),
    'one wide label': `A[${'x'.repeat(19_000)}] --> B`,
    'deep frames': `${many((at) => `subgraph s${at}`, 190)}\nA --> B\n${many(() => 'end', 190)}`,
    'open brackets': `A${'['.repeat(15_000)}`,
  };

  it.each(Object.entries(large))(
    'neither freezes nor breaks the page with %s',
    async (_what, lines) => {
      const { page } = await answering(`\`\`\`mermaid\ngraph TD\n${lines}\n\`\`\``);
      await page.getByRole('button', { name: 'Show Diagram' }).click();
      // the page goes on meanwhile
      await page.locator('#composer-text').fill('still here');
      await page.locator('.diagram').first().waitFor();
      const isDrawn = (await page.locator('img.diagram-picture').count()) > 0;
      if (!isDrawn) {
        await page.getByText('This diagram cannot be drawn here').waitFor();
        expect(await page.locator('.code-lines').isVisible()).toBe(true);
      }
      expect(await page.locator('#composer-text').inputValue()).toBe('still here');
      await page.close();
    },
  );
});

describe('hostile code and links', () => {
  it('shows code that is coloured as the text that it is', async () => {
    const code = `const a = "</span><img src=x onerror=${run}>";`;
    const { page } = await answering(`\`\`\`html\n${code}\n\`\`\``);
    await page.locator('.code-lines span').first().waitFor();
    expect(await page.locator('.code-lines').textContent()).toContain(code);
    expect(await page.locator('.code-lines img').count()).toBe(0);
    expect(await hasRun(page)).toBe(false);
    await page.close();
  });

  it('lets no link lead to a file but through the extension', async () => {
    const { page } = await answering(
      '[a](file:///etc/passwd.txt) [b](javascript:window.canaryRan=true//a.ts) [c](../../outside.ts#L3) `/etc/hosts.txt`',
    );
    await page.getByRole('link', { name: 'c', exact: true }).click();
    await page.getByRole('link', { name: '/etc/hosts.txt' }).click();
    expect(await page.getByRole('link').count()).toBe(2);
    // the extension refuses both, as they are out of the folder
    expect(await sent(page, 'openFile')).toEqual([
      { path: '../../outside.ts', line: 3 },
      { path: '/etc/hosts.txt' },
    ]);
    expect(await hasRun(page)).toBe(false);
    await page.close();
  });
});
