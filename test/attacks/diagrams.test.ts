/** Diagrams, code and links of answers and of results that try to run, to load or to lead somewhere. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { runOutcome, runToolView } from '../helpers/pages/states/runTool.mjs';
import { toolStart } from '../helpers/pages/states/server.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

beforeAll(async () => {});

interface Canary {
  readonly canaryRan?: boolean;
}

interface Opened {
  readonly page: Page;
  readonly asked: string[];
}

function answering(text: string): Promise<Opened> {
  return conversing({ id: 'a1', kind: 'assistant', text, isStreaming: false });
}

/** The same text as the result of a tool. */
function resulting(text: string): Promise<Opened> {
  const mcp = { server: 'shop', tool: 'plan' };
  const result = [{ kind: 'text', text }];
  const call = { tool: 'shop__plan', mcp, status: 'done', args: '{}', result, files: [] };
  return conversing({ id: 'c1', kind: 'tool', ...call });
}

async function conversing(entry: object): Promise<Opened> {
  const page = await pages.open({
    page: 'agent',
    replies: { ready: { ...agentSnapshots.empty, transcript: [entry] } },
    width: 420,
  });
  return { page, asked: requestsOf(page) };
}

/** As the result of a run of the user. */
async function running(text: string): Promise<Opened> {
  const view = { ...runToolView, inputSchema: { type: 'object' }, history: [] };
  const outcome = { ...runOutcome, structured: undefined, blocks: [{ kind: 'text', text }] };
  const run = { kind: 'ended', outcome, view };
  const replies = { ...toolStart, ready: { kind: 'tool', view }, check: null, run };
  const page = await pages.open({ page: 'server', replies, width: 420 });
  const asked = requestsOf(page);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  return { page, asked };
}

function requestsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  return asked;
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
const image = "<img src='https://canary.invalid/pixel.png'>";
const sources = {
  ...Object.fromEntries(
    Object.entries(labels).map(([what, label]) => [what, `graph TD\n${label}`]),
  ),
  'name of a share': `pie title ${image}\n"<script>${run}</script>" : 1`,
  'name of a task': `gantt\ntitle ${image}\n<script>${run}</script> : 2026-01-01, 1d\nclick a call eval("${run}")`,
  'name of a branch': `mindmap\n  root[${image}]\n    <script>${run}</script>\n    ::icon(${image})`,
};
const places = { answer: answering, card: resulting, 'page that runs a tool': running };

describe('a hostile diagram', () => {
  it('would be noticed: the canary runs where the page itself is asked to', async () => {
    const { page } = await answering('nothing');
    await page.evaluate(run);
    expect(await hasRun(page)).toBe(true);
    await page.close();
  });

  it.each(
    Object.entries(places).flatMap(([place, show]) =>
      Object.entries(sources).map(([what, source]) => [what, place, source, show] as const),
    ),
  )('does nothing with a %s in the %s', async (_what, _place, source, show) => {
    const { page, asked } = await show(`\`\`\`mermaid\n${source}\n\`\`\``);
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
  const ofOthers = {
    'wide shares': `pie\n${many((at) => `"${'x'.repeat(40)}${at}" : 1`, 390)}`,
    'open quotes': `pie\n${'"'.repeat(19_000)}`,
    'tasks of all time': `gantt\n${many((at) => `T${at} : 0001-01-01, 9999-12-31`, 390)}`,
    'a long time': `gantt\ndateFormat ${'YYYY'.repeat(1_000)}\nA : 2026-01-01, ${'9'.repeat(9_000)}d`,
    'a deep branch': `mindmap\n${many((at) => `${' '.repeat(at % 90)}n`, 390)}`,
    'a branch of brackets': `mindmap\n${'(('.repeat(9_000)}`,
  };
  const sized = {
    ...Object.fromEntries(
      Object.entries(large).map(([what, lines]) => [what, `graph TD\n${lines}`]),
    ),
    ...ofOthers,
  };

  it.each(Object.entries(sized))(
    'neither freezes nor breaks the page with %s',
    async (_what, source) => {
      const { page } = await answering(`\`\`\`mermaid\n${source}\n\`\`\``);
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
