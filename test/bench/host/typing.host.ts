/** A configuration file of 500 entries in the editor, beside the same text in a file that only VS Code's own JSON support knows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import type { Workbench } from '../../helpers/e2e/workbench.js';
import { repository } from '../../workbench/paths.mjs';
import { figureBeside, sequentially } from '../connections/figures.js';
import { inWindow, isShort, painted, record } from './window.js';

const entryCount = 500;
const each = Array.from({ length: isShort ? 3 : 7 }, (_, index) => index);
const files = { ours: '.mcp.json', peer: 'peer.json' } as const;
type Side = keyof typeof files;
const baseline = "VS Code's own JSON support";
const schema = readFileSync(join(repository, 'media/schemas/mcp.schema.json'), 'utf8');

/** From the folder on: only settings of the folder may say so. */
const association = { fileMatch: [files.peer], url: './peer.schema.json' };

const editorSelector = '.editor-group-container.active .monaco-editor';

/** The first entry is where everything is typed. */
function text(): string {
  const first = `    "first": { "command": "node", "args": ["a"], "lifecycle": "lazy" }`;
  const others = Array.from(
    { length: entryCount - 1 },
    (_, index) =>
      `    "server${index}": { "command": "node", "args": ["server${index}.mjs"], "enabled": false }`,
  );
  return `{\n  "mcpServers": {\n${[first, ...others].join(',\n')}\n  }\n}\n`;
}

it('types', async () => {
  const options = {
    withSample: false,
    files: {
      [files.ours]: text(),
      [files.peer]: text(),
      'peer.schema.json': schema,
      '.vscode/settings.json': JSON.stringify({ 'json.schemas': [association] }),
    },
    settings: {
      'editor.quickSuggestions': { other: 'off', strings: 'off', comments: 'off' },
      'editor.hover.delay': 1,
    },
  };
  await inWindow(options, async (window) => {
    await window.shell.trustWorkspace();
    await window.shell.closeModalEditor();
    const measured = {
      ours: await measureFile(window, 'ours'),
      peer: await measureFile(window, 'peer'),
    };
    const figure = (name: string, key: keyof FileTimes) =>
      figureBeside({ name, unit: 'ms', baseline }, measured.ours[key], measured.peer[key]);
    record('typing', [
      figure(`a mistake to its mark, ${entryCount} entries`, 'marks'),
      figure(`its correction to no mark, ${entryCount} entries`, 'corrections'),
      figure(`keys to suggestions, ${entryCount} entries`, 'suggestions'),
      figure(`keys to a hover, ${entryCount} entries`, 'hovers'),
    ]);
  });
});

interface FileTimes {
  readonly marks: readonly number[];
  readonly corrections: readonly number[];
  readonly suggestions: readonly number[];
  readonly hovers: readonly number[];
}

async function measureFile(window: Workbench, side: Side): Promise<FileTimes> {
  const { editor, page } = window;
  await editor.open(files[side]);
  // the languages are there when the schema speaks
  await editor.placeCursorAfter('"lifecycle": "');
  await editor.suggest('keep-alive');
  await page.keyboard.press('Escape');
  const suggestions = await sequentially(each, () => suggest(window));
  const hovers = await sequentially(each, () => hover(window));
  await editor.placeCursorAfter(side === 'ours' ? '["a' : '["a"');
  const mistakes = await sequentially(each, () => mistake(window, side));
  await editor.closeAll();
  return {
    suggestions,
    hovers,
    marks: mistakes.map(({ markMs }) => markMs),
    corrections: mistakes.map(({ correctionMs }) => correctionMs),
  };
}

async function suggest({ page, editor }: Workbench): Promise<number> {
  await editor.placeCursorAfter('"lifecycle": "');
  const shown = painted(page, {
    selector: '.suggest-widget.visible .monaco-list-row',
    words: 'keep-alive',
  });
  const start = Date.now();
  await page.keyboard.press('Control+Space');
  const ms = (await shown) - start;
  await page.keyboard.press('Escape');
  await page.locator('.suggest-widget.visible').waitFor({ state: 'detached' });
  return ms;
}

async function hover({ page, editor }: Workbench): Promise<number> {
  await editor.placeCursorAfter('"lifecy');
  await page.keyboard.press('Control+K');
  const shown = painted(page, { selector: '.monaco-hover:not(.hidden)', words: 'connect' });
  const start = Date.now();
  await page.keyboard.press('Control+I');
  const ms = (await shown) - start;
  await page.keyboard.press('Escape');
  await editor.hover.first().waitFor({ state: 'hidden' });
  return ms;
}

/** One that only our checks know, or one of the syntax. */
async function mistake({ page, editor }: Workbench, side: Side) {
  // without a space, so that it is undone at once
  const typed = side === 'ours' ? '${PI_MCP_NOT_SET}' : '1';
  const mark = `${editorSelector} [class*=squiggly-]`;
  await page.locator(mark).first().waitFor({ state: 'detached' });
  const shown = painted(page, { selector: mark });
  const start = Date.now();
  await editor.type(typed);
  const markMs = (await shown) - start;
  const undone = Date.now();
  await page.keyboard.press('Control+Z');
  await page.locator(mark).first().waitFor({ state: 'detached' });
  return { markMs, correctionMs: Date.now() - undone };
}
