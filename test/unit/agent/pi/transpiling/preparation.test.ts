import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { JitiFiles, type JitiInput } from '../../../../../src/agent/pi/transpiling/jiti.js';
import { Preparation } from '../../../../../src/agent/pi/transpiling/preparation.js';
import { repository } from '../../../../workbench/paths.mjs';

const besideJiti = join(repository, 'node_modules/jiti/dist/jiti.cjs');
const files = new JitiFiles(besideJiti);

let dir: string;
/** What was transpiled ahead, and what jiti had to ask for. */
let ahead: string[];
let late: string[];
let preparation: Preparation;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pi-mcp-preparation-'));
  ahead = [];
  late = [];
  preparation = new Preparation(async ({ input }) => {
    ahead.push(tell(input));
    return files.transform(input).code;
  });
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const tell = ({ filename, async }: JitiInput) =>
  `${async ? 'import' : 'require'} ${filename.slice(dir.length + 1)}`;

async function write(texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
}

async function load(name: string): Promise<unknown> {
  const jiti = files.create(besideJiti, {
    fsCache: false,
    moduleCache: false,
    transform: (input) => {
      const prepared = preparation.preparedFor(input);
      late.push(...(prepared === undefined ? [tell(input)] : []));
      return prepared ?? files.transform(input);
    },
  });
  await preparation.prepare(jiti, join(dir, name), { beside: besideJiti, settings: {} });
  return await jiti.import(join(dir, name), { default: true });
}

it('prepares just what jiti transforms', async () => {
  await write({
    'a.ts': `import { b } from './b.js'; import type { T } from './types'; import { c } from './c';
      import { d } from './modules/d.js'; const { e } = require('./e'); import data from './data.json';
      import { parse } from 'node:path'; import { f } from './folder';
      export default [b, c, d, e, data.x, typeof parse, f];`,
    'b.ts': `import './a'; export const b: string = 'b';`,
    'types.ts': 'export type T = string;',
    'c.js': `export const c = 'c';`,
    'modules/package.json': '{ "type": "module" }',
    'modules/d.js': `export { d } from './more.js';`,
    'modules/more.js': `export const d = 'd';`,
    'e.cjs': `exports.e = 'e';`,
    'data.json': '{ "x": "x" }',
    'folder/index.ts': `export const f: string = 'f';`,
  });
  expect(await load('a.ts')).toEqual(['b', 'c', 'd', 'e', 'x', 'function', 'f']);
  const expected = ['import a.ts', 'import b.ts', 'import c.js', 'import folder/index.ts'];
  expect(ahead.sort()).toEqual(expected);
  expect(late).toEqual([]);
});

it('prepares a file again when it has changed', async () => {
  await write({
    'a.ts': `import { b } from './b'; export default b;`,
    'b.ts': 'export const b = 1;',
  });
  expect(await load('a.ts')).toBe(1);
  await write({ 'b.ts': 'export const b: number = 2;' });
  expect(await load('a.ts')).toBe(2);
  expect(ahead).toEqual(['import a.ts', 'import b.ts', 'import b.ts']);
  expect(late).toEqual([]);
});

it('leaves to jiti what has a computed name or is in a package', async () => {
  await write({
    'a.ts': `const name: string = './b' + '.ts';
      export default async () => [(await import(name)).b, (await import('own')).own];`,
    'b.ts': 'export const b: number = 1;',
    'node_modules/own/package.json': '{ "main": "own.ts" }',
    'node_modules/own/own.ts': 'export const own: number = 2;',
  });
  const run = (await load('a.ts')) as () => Promise<unknown>;
  expect(late).toEqual([]);
  expect(await run()).toEqual([1, 2]);
  expect(ahead).toEqual(['import a.ts']);
  expect(late).toEqual(['import b.ts', 'import node_modules/own/own.ts']);
});

it('leaves to jiti what cannot be transpiled ahead, or is not there', async () => {
  preparation = new Preparation(async () => undefined);
  await write({
    'a.ts': `import { b } from './b'; export default b;`,
    'b.ts': 'export const b = 1;',
  });
  expect(await load('a.ts')).toBe(1);
  expect(late).toEqual(['import a.ts', 'import b.ts']);
  await expect(load('gone.ts')).rejects.toThrow('gone.ts');
});
