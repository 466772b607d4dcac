import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ToolSwitches } from '../../../../../src/mcp/catalog/records/toolSwitches.js';
import { nullLogger } from '../../../../../src/platform/ports.js';

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

it('takes no server and tool for another two whose names join to the same text', async () => {
  const switches = await open();
  await switches.set({ ...everywhere, server: 'a/b', tool: 'c' }, 'off');
  expect(switches.isOn({ ...everywhere, server: 'a', tool: 'b/c' })).toBe(true);
  expect(switches.isOn({ ...everywhere, server: 'a/b', tool: 'c' })).toBe(false);
});

it.each(['__proto__', 'constructor', '\ud800', ''])('keeps a switch of %j', async (name) => {
  const place = { ...everywhere, server: name, tool: name };
  await (await open()).set(place, 'off');
  expect((await open()).isOn(place)).toBe(false);
});

it('takes over the keys of earlier versions with all that they meant', async () => {
  const former = {
    everywhere: { 's/t': 'off', 'a/b/c': 'off' },
    folders: { [app.folderUri]: { 's/t': 'on' } },
  };
  await writeFile(join(directory, 'tool-switches.json'), JSON.stringify(former));
  const switches = await open();
  expect([everywhere, app, web].map((place) => switches.isOn(place))).toEqual([false, true, false]);
  const inBoth = [
    { ...everywhere, server: 'a/b', tool: 'c' },
    { ...everywhere, server: 'a', tool: 'b/c' },
  ];
  expect(inBoth.map((place) => switches.isOn(place))).toEqual([false, false]);
  await switches.set(app, undefined);
  const stored = JSON.parse(await readFile(join(directory, 'tool-switches.json'), 'utf8'));
  expect(stored).toEqual({
    everywhere: { s: { t: 'off' }, 'a/b': { c: 'off' }, a: { 'b/c': 'off' } },
    folders: {},
  });
});
