import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isIgnoredByGit } from '../../../../src/config/lint/gitIgnored.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-ignored-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const home = () => join(root, 'home');

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

describe('isIgnoredByGit', () => {
  it.each<[string, Readonly<Record<string, string>>, string, boolean]>([
    ['without rules', {}, 'repo/.mcp.json', false],
    ['by name', { 'repo/.gitignore': '.mcp.json\n' }, 'repo/app/.mcp.json', true],
    ['at the root only', { 'repo/.gitignore': '/.mcp.json\n' }, 'repo/app/.mcp.json', false],
    ['with its folder', { 'repo/.gitignore': '.pi/\n' }, 'repo/app/.pi/mcp.json', true],
    [
      'and taken back further down',
      { 'repo/.gitignore': '*.json\n', 'repo/app/.gitignore': '!.mcp.json\n' },
      'repo/app/.mcp.json',
      false,
    ],
    ['for this clone', { 'repo/.git/info/exclude': '.mcp.json\n' }, 'repo/.mcp.json', true],
    ['by the user', { 'home/.config/git/ignore': '.mcp.json\n' }, 'repo/.mcp.json', true],
  ])('says what git says: %s', async (_label, files, path, expected) => {
    await write(path, '{}');
    await mkdir(join(root, 'repo', '.git'), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      await write(name, text);
    }
    expect(await isIgnoredByGit(join(root, path), home())).toBe(expected);
  });

  it.each([
    ['a line that makes no regular expression', '?'.repeat(60_000)],
    ['more lines than anybody writes', '*\n'.repeat(50_000)],
  ])('takes %s for no rules', async (_label, text) => {
    await write('repo/.git/HEAD', '');
    await write('repo/.gitignore', `.mcp.json\n${text}`);
    await write('repo/app/.gitignore', '');
    expect(await isIgnoredByGit(join(root, 'repo', 'app', '.mcp.json'), home())).toBe(false);
  });

  it('is false where there is no repository', async () => {
    await write('plain/.gitignore', '.mcp.json');
    expect(await isIgnoredByGit(join(root, 'plain', '.mcp.json'), home())).toBe(false);
  });
});
