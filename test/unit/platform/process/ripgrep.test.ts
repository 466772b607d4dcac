import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findRipgrep, listFiles } from '../../../../src/platform/process/ripgrep.js';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rg-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe('the search program of an editor', () => {
  it.each([
    'node_modules/@vscode/ripgrep-universal/bin/linux-x64',
    'node_modules/@vscode/ripgrep/bin',
    'node_modules.asar.unpacked/@vscode/ripgrep/bin',
  ])('is found in %s', async (place) => {
    const root = await newFolder();
    const machine = { platform: 'linux', arch: 'x64' } as const;
    expect(findRipgrep({ appRoot: root }, machine)).toBeUndefined();
    await mkdir(join(root, place), { recursive: true });
    await writeFile(join(root, place, 'rg'), '');
    await chmod(join(root, place, 'rg'), 0o755);
    expect(findRipgrep({ appRoot: root }, machine)).toBe(join(root, place, 'rg'));
  });

  it('is that of PATH where the editor has none', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'rg'), '');
    const places = { appRoot: join(folder, 'none'), path: `/nowhere:${folder}` };
    expect(findRipgrep(places)).toBeUndefined();
    await chmod(join(folder, 'rg'), 0o755);
    expect(findRipgrep(places)).toBe(join(folder, 'rg'));
    expect(findRipgrep({ path: relative(process.cwd(), folder) })).toBeUndefined();
  });

  it('is found on Windows in a folder of PATH in quotation marks', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'rg.exe'), '');
    await chmod(join(folder, 'rg.exe'), 0o755);
    const machine = { platform: 'win32', arch: 'x64' } as const;
    expect(findRipgrep({ path: `/nowhere;"${folder}"` }, machine)).toBe(join(folder, 'rg.exe'));
  });

  it('lists names with blanks and line ends, up to a bound, and is told what to leave out', async () => {
    const folder = await newFolder();
    const program = join(folder, 'rg');
    const output = './src/my file#1.ts\\0./a\\nb.ts\\0./c.ts\\0';
    await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$@" > args\nprintf '${output}'\n`);
    await chmod(program, 0o755);
    const options = { folder, excluded: ['**/out'], limit: 50 };
    expect(await listFiles(program, options)).toEqual(['src/my file#1.ts', 'a\nb.ts', 'c.ts']);
    expect(await listFiles(program, { ...options, limit: 2 })).toHaveLength(2);
    await expect(listFiles(join(folder, 'none'), options)).rejects.toThrow('ENOENT');
  });
});
