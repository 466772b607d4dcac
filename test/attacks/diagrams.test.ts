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
    await page.getByRole('button', { name: 'Draw Diagram' }).click();
    const drawing = page.locator('.diagram').first();
    await drawing.waitFor();
    expect(
      await page.locator('.code-block :is(script, svg, img, foreignObject, iframe)').count(),
    ).toBe(0);
    expect(await drawing.locator('*').count()).toBe(0);
    expect(await hasRun(page)).toBe(false);
    expect(asked.filter((url) => url.includes('canary'))).toEqual([]);
    await page.close();
  });

  it('is not drawn when it is long', async () => {
    const edges = Array.from({ length: 5_000 }, (_item, at) => `A${at} --> A${(at * 31) % 5_000}`);
    const { page } = await answering(`\`\`\`mermaid\ngraph TD\n${edges.join('\n')}\n\`\`\``);
    await page.getByRole('button', { name: 'Draw Diagram' }).click();
    await page.getByText('This diagram cannot be drawn here').waitFor();
    await page.close();
  });
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
