/** Pi extensions in TypeScript, loaded by the Pi of the package. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unpackVsix } from '../helpers/unpackVsix.js';
import { repository } from '../workbench/paths.mjs';

const run = promisify(execFile);

let dir: string;
let extensionDir: string;

beforeAll(() => {
  ({ dir, extensionDir } = unpackVsix());
});

afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

const dice = `import { Type } from 'typebox';
import type { ExtensionAPI } from '@earendil-works/pi-coding-agent';
import { called } from './parts/called';
import { name } from './parts/name.json';
enum Colour { Red = 'red' }
export default async function (pi: ExtensionAPI) {
  const { late } = await import('./parts/late.js');
  pi.registerCommand(called<string>(name, Colour.Red, Type.String().type, late), { handler: async () => {} });
}`;
const parts = {
  'parts/called.ts': `import { between } from './between.mjs';
export const called = <T>(...words: readonly T[]): string => words.join(between);`,
  'parts/between.mts': `export const between: string = '-';`,
  'parts/late.ts': `export const late: string = 'late';`,
  'parts/name.json': '{ "name": "roll" }',
  'parts/faulty.ts': 'export const faulty = ;',
};
const command = (name: string) =>
  `(pi) => pi.registerCommand('${name}', { handler: async () => {} })`;

it('loads what an extension imports', async () => {
  const { commands, errors } = await load(
    {
      'dice.ts': dice,
      'module.js': `export default ${command('module')};`,
      'common.js': `module.exports = ${command('common')};`,
    },
    parts,
  );
  expect(errors).toEqual([]);
  expect(commands).toEqual(['roll-red-string-late', 'module', 'common']);
});

it('says of each extension what is wrong with it, and goes on with the others', async () => {
  const { commands, errors } = await load(
    {
      'broken.ts': `import './parts/called';\nexport default function ( {`,
      'indirect.ts': `import './parts/faulty';\nexport default function () {}`,
      'gone.ts': `import './parts/gone';\nexport default function () {}`,
      'throws.ts': `const text: string = 'no';\n\nthrow new Error(text + new Error().stack?.match(/throws\\.ts:\\d+/));`,
      'last.ts': `export default ${command('last')};`,
    },
    parts,
  );
  expect(commands).toEqual(['last']);
  expect(errors).toEqual([
    'broken.ts: Failed to load extension: ParseError: Unexpected token  | …/broken.ts:2:27',
    'indirect.ts: Failed to load extension: ParseError: Unexpected token  | …/parts/faulty.ts:1:22',
    "gone.ts: Failed to load extension: Cannot find module './parts/gone' | Require stack: | - …/gone.ts",
    'throws.ts: Failed to load extension: nothrows.ts:3',
  ]);
});

it('loads what has a computed name, too', async () => {
  const computed = `const name: string = './parts/' + 'late.ts';
export default async function (pi) {
  const { late } = await import(name);
  pi.registerCommand(late, { handler: async () => {} });
}`;
  const { commands, errors } = await load({ 'computed.ts': computed }, parts);
  expect(errors).toEqual([]);
  expect(commands).toEqual(['late']);
});

it('leaves nothing where every user of the machine could change what runs next time', async () => {
  const { commands, temporary } = await load({ 'dice.ts': dice }, parts);
  expect(commands).toEqual(['roll-red-string-late']);
  expect(temporary).toEqual([]);
});

/** What `loadExtensions.mjs` tells, with the folder of the extensions as `…`. */
async function load(
  extensions: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>>,
): Promise<{
  readonly commands: readonly string[];
  readonly errors: readonly string[];
  /** What is in the folder for temporary files then. */
  readonly temporary: readonly string[];
}> {
  const folder = mkdtempSync(join(dir, 'extensions-'));
  for (const [name, text] of Object.entries({ ...extensions, ...others })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const script = join(repository, 'test/helpers/loadExtensions.mjs');
  const paths = Object.keys(extensions).map((name) => join(folder, name));
  const env = { PATH: process.env.PATH, HOME: temporary, TMPDIR: temporary };
  const args = [script, extensionDir, join(folder, 'agent'), ...paths];
  const { stdout } = await run(process.execPath, args, { cwd: folder, env });
  const { errors, ...rest } = JSON.parse(stdout);
  const lines = errors.map(({ path, error }: { path: string; error: string }) =>
    `${path}: ${error}`
      .replace(`${folder}/`, '')
      .replaceAll(folder, '…')
      .replace(/ ?\n ?/g, ' | '),
  );
  return { ...rest, errors: lines, temporary: readdirSync(temporary) };
}
