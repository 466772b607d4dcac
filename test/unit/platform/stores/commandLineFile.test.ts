import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CommandLineFile } from '../../../../src/platform/stores/commandLineFile.js';

const run = promisify(execFile);

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-command-line-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Of an installed version, whose command line says which it is, and with what it was called. */
async function install(version: string): Promise<CommandLineFile> {
  const folder = join(root, `extension "${version}"`);
  await mkdir(join(folder, 'dist'), { recursive: true });
  const program = `console.log('${version}', ...process.argv.slice(2))`;
  await writeFile(join(folder, 'dist/cli.js'), program);
  return new CommandLineFile(join(root, 'storage'), folder);
}

async function said(path: string): Promise<string> {
  const { stdout } = await run(process.execPath, [path, 'mock', 'a b']);
  return stdout.trim();
}

it('is the command line of the extension, and of the one that is installed after it', async () => {
  const path = await (await install('1.0.0')).write();
  expect(await said(path)).toBe('1.0.0 mock a b');
  const next = await install('1.1.0');
  await rm(join(root, 'extension "1.0.0"'), { recursive: true });
  await next.refresh();
  expect(await said(path)).toBe('1.1.0 mock a b');
});

it('is not there before somebody needs it', async () => {
  await (await install('1.0.0')).refresh();
  expect(await readdir(root)).not.toContain('storage');
});
