import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ToolSwitches } from '../../../../src/mcp/catalog/toolSwitches.js';
import { nullLogger } from '../../../../src/mcp/ports.js';

let directory: string;
const opened: ToolSwitches[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pi-mcp-switches-'));
});
afterEach(async () => {
  for (const switches of opened.splice(0)) {
    switches.dispose();
  }
  await rm(directory, { recursive: true, force: true });
});

async function open(): Promise<ToolSwitches> {
  const watcher = { watch: () => ({ dispose: () => undefined }) };
  const switches = new ToolSwitches({ directory, watcher, logger: nullLogger });
  opened.push(switches);
  await switches.start();
  return switches;
}

const everywhere = { folderUri: undefined, server: 's', tool: 't' };
const app = { ...everywhere, folderUri: 'file:///app' };
const web = { ...everywhere, folderUri: 'file:///web' };

it('inherits from everywhere, and lets a folder choose otherwise', async () => {
  const switches = await open();
  expect(switches.isOn(app)).toBe(true);
  await switches.set(everywhere, 'off');
  await switches.set(web, 'on');
  expect([app, web, everywhere].map((place) => switches.isOn(place))).toEqual([false, true, false]);
  await switches.set(everywhere, undefined);
  await switches.set(web, 'off');
  expect([app, web].map((place) => switches.isOn(place))).toEqual([true, false]);
});

it('is there again in the next window, and leaves nothing behind once all is inherited', async () => {
  const first = await open();
  await first.set(app, 'off');
  const later = await open();
  expect(later.isOn(app)).toBe(false);
  await later.set(app, undefined);
  const text = await readFile(join(directory, 'tool-switches.json'), 'utf8');
  expect(JSON.parse(text)).toEqual({ everywhere: {}, folders: {} });
});

it('keeps what two windows set at the same time', async () => {
  const [first, second] = [await open(), await open()];
  await Promise.all([first.set(app, 'off'), second.set(web, 'off')]);
  const later = await open();
  expect([app, web].map((place) => later.isOn(place))).toEqual([false, false]);
});

it('sets a damaged file aside and starts with everything on', async () => {
  const path = join(directory, 'tool-switches.json');
  await writeFile(path, '{ not json');
  const switches = await open();
  expect(switches.isOn(app)).toBe(true);
  expect(await readFile(`${path}.damaged`, 'utf8')).toBe('{ not json');
});
