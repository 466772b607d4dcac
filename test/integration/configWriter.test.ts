import { execFile } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rewriteFile } from '../../src/config/edit/configFileWriter.js';
import { draftPath } from '../../src/platform/stores/drafts.js';
import { useScript } from '../helpers/script.js';

const run = promisify(execFile);
const program = useScript('test/fixtures/config/writerProcess.ts');
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-writer-'));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('writing', () => {
  it('sweeps what a killed writer left beside the file, and nothing that looks alike', async () => {
    const path = join(root, '.mcp.json');
    const draft = draftPath(path).slice(root.length + 1);
    const dead = draft.replace(/\.(\d+)-(\d+)-/, '.4194303-1-');
    for (const name of [dead, draft, '.mcp.json.tmp']) {
      await writeFile(join(root, name), 'half');
    }
    await rewriteFile(path, () => '{}');
    expect((await readdir(root)).sort()).toEqual([draft, '.mcp.json', '.mcp.json.tmp'].sort());
  });

  it('makes a private file and its folders for their owner alone', async () => {
    const path = join(root, 'a', 'b', 'mcp.json');
    expect(await rewriteFile(path, () => '{}', { isPrivate: true })).toBe(true);
    expect(await readFile(path, 'utf8')).toBe('{}');
    expect(await modeOf(path)).toBe(0o600);
    expect(await modeOf(join(root, 'a'))).toBe(0o700);
  });

  it('keeps the mode of a file, private or not', async () => {
    const path = join(root, 'mcp.json');
    await writeFile(path, '1');
    for (const mode of [0o640, 0o666, 0o400]) {
      await chmod(path, mode);
      await rewriteFile(path, (text) => `${text}2`, { isPrivate: true });
      expect(await modeOf(path)).toBe(mode);
    }
    expect(await readFile(path, 'utf8')).toBe('1222');
  });

  it('writes through symbolic links, also one whose file is missing', async () => {
    await mkdir(join(root, 'real'));
    await symlink('real/one.json', join(root, 'link.json'));
    await symlink(join(root, 'link.json'), join(root, 'second.json'));
    await rewriteFile(join(root, 'second.json'), () => 'first');
    await rewriteFile(join(root, 'second.json'), (text) => `${text} again`);
    expect(await readFile(join(root, 'real', 'one.json'), 'utf8')).toBe('first again');
    expect((await lstat(join(root, 'second.json'))).isSymbolicLink()).toBe(true);
  });

  it('writes nothing when nothing changes or the edit fails, and leaves nothing behind', async () => {
    const path = join(root, 'mcp.json');
    await writeFile(path, '{}');
    const before = await stat(path);
    expect(await rewriteFile(path, (text) => text)).toBe(false);
    const failing = rewriteFile(path, () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const after = await stat(path);
    expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
    expect(await readdir(root)).toEqual(['mcp.json']);
  });

  it('edits anew what another program saved meanwhile', async () => {
    const path = join(root, 'mcp.json');
    await writeFile(path, 'a');
    const seen: string[] = [];
    const { writeFileSync } = await import('node:fs');
    await rewriteFile(path, (text) => {
      seen.push(text);
      if (seen.length === 1) {
        writeFileSync(path, 'b');
      }
      return `${text}!`;
    });
    expect(seen).toEqual(['a', 'b']);
    expect(await readFile(path, 'utf8')).toBe('b!');
    expect(await readdir(root)).toEqual(['mcp.json']);
  });

  it('gives up where another program saves again and again, and leaves what it saved', async () => {
    const path = join(root, 'mcp.json');
    const { writeFileSync } = await import('node:fs');
    let saves = 0;
    const busy = rewriteFile(path, () => {
      saves += 1;
      writeFileSync(path, `theirs ${saves}`);
      return 'ours';
    });
    await expect(busy).rejects.toMatchObject({ code: 'config_busy' });
    expect(await readFile(path, 'utf8')).toBe(`theirs ${saves}`);
  });

  it('says which file cannot be written', async () => {
    await writeFile(join(root, 'file'), '');
    await expect(rewriteFile(join(root, 'file', 'mcp.json'), () => 'x')).rejects.toMatchObject({
      code: 'config_unwritable',
      message: expect.stringContaining(join(root, 'file', 'mcp.json')),
    });
  });

  it('loses nothing among fifty writers in five processes', async () => {
    const path = join(root, 'work', 'mcp.json');
    await mkdir(join(root, 'work'));
    await writeFile(path, '{\n  // shared\n  "mcpServers": {}\n}\n');
    const prefixes = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(
      prefixes.map((prefix) => run(process.execPath, [program.path, path, prefix, '10'])),
    );
    const text = await readFile(path, 'utf8');
    const names = Object.keys(JSON.parse(text.replace('// shared', '')).mcpServers).sort();
    const expected = prefixes.flatMap((prefix) =>
      [...Array(10).keys()].map((n) => `${prefix}${n}`),
    );
    expect(names).toEqual(expected.sort());
    expect(text).toContain('// shared');
    expect(await readdir(join(root, 'work'))).toEqual(['mcp.json']);
  });
});
