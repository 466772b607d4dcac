import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readCommands } from '../../../../../src/agent/policy/shell/readCommands.js';
import {
  findReadingPlaces,
  type ReadingPlaces,
} from '../../../../../src/agent/policy/shell/readingPlaces.js';
import {
  createFileTree,
  type FileTree,
  Link,
  Program,
  Sparse,
} from '../../../../helpers/attacks/fileTree.js';

/** @param path folders of PATH, from the one beside which the files stand */
async function findFor(
  line: string,
  files: FileTree,
  ...path: readonly string[]
): Promise<ReadingPlaces> {
  const root = await mkdtemp(join(tmpdir(), 'reading-places-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = join(root, 'work');
  await createFileTree(folder, { 'a.md': 'x', ...files });
  const dirs = path.map((one) => (one === '' || one === '.' ? one : join(root, one)));
  return await findReadingPlaces(readCommands(line) ?? [], folder, dirs.join(delimiter));
}

const config = { '.git/config': '[core]\n\tbare = false\n' };
const repositoryMode = [0x00, 0x00, 0xe0, 0x00];
const index = (...bytes: readonly number[]) => ({ '.git/index': new Uint8Array(bytes) });
const maxConfigBytes = 64 * 1024;
const maxIndexBytes = 32 * 1024 * 1024;

it.each<readonly [string, FileTree, boolean]>([
  ['a configuration alone', config, true],
  ['a folder of hooks', { ...config, '.git/hooks/pre-commit': '' }, true],
  ['a file where hooks would be', { ...config, '.git/hooks': '' }, true],
  ['nothing', {}, false],
  ['a folder of git that is empty', { '.git/HEAD': '' }, false],
  ['a file that leads to the repository', { '.git': 'gitdir: m', 'm/config': '' }, false],
  ['a link to the repository', { '.git': new Link('m'), 'm/config': '' }, false],
  ['a link to the configuration', { '.git/config': new Link('../c'), c: '' }, false],
  ['a configuration that starts something', { '.git/config': '[core]\n\tfsmonitor = x\n' }, false],
  ['a configuration of 64 KiB', { '.git/config': '#'.repeat(maxConfigBytes) }, true],
  ['a larger configuration', { '.git/config': '#'.repeat(maxConfigBytes + 1) }, false],
  ['repositories within', { ...config, '.gitmodules': '' }, false],
  ['a link that leads nowhere to those', { ...config, '.gitmodules': new Link('nowhere') }, false],
  ['a hook of the index', { ...config, '.git/hooks/post-index-change': '' }, false],
  ['a link to hooks', { ...config, '.git/hooks': new Link('../h'), 'h/a': '' }, false],
  ['a link to objects', { ...config, '.git/objects': new Link('../o'), 'o/a': '' }, false],
  ['links to objects', { ...config, '.git/objects/0a': new Link('../../o'), 'o/a': '' }, false],
  ['a link to a pack', { ...config, '.git/objects/pack/a': new Link('../../../o'), o: '' }, false],
  ['objects of another one', { ...config, '.git/objects/info/alternates': '/x\n' }, false],
  ['objects of its own', { ...config, '.git/objects/pack/a': '', '.git/objects/0a/b': '' }, true],
  ['the rest elsewhere', { ...config, '.git/commondir': '' }, false],
  ['a configuration of the worktree', { ...config, '.git/config.worktree': '' }, false],
  ['modules', { ...config, '.git/modules/a': '' }, false],
  ['a shared index', { ...config, '.git/sharedindex.0a': '' }, false],
  ['an index with a repository', { ...config, ...index(0x01, ...repositoryMode) }, false],
  ['an index with a file', { ...config, ...index(0x00, 0x00, 0x81, 0xa4) }, true],
  ['an index of 32 MiB', { ...config, '.git/index': new Sparse(maxIndexBytes) }, true],
  ['a larger index', { ...config, '.git/index': new Sparse(maxIndexBytes + 1) }, false],
])('whether git starts nothing in a folder with %s', async (_what, files, isPlain) => {
  expect((await findFor('git status', files)).isPlainRepository).toBe(isPlain);
});

it('looks at a repository for a line with git alone', async () => {
  expect((await findFor('ls && git status', config)).isPlainRepository).toBe(true);
  expect((await findFor('ls', config)).isPlainRepository).toBe(false);
});

const tool = new Program('');
const onPath: FileTree = { '../bin/tool': tool };

it.each<readonly [string, FileTree, string, readonly string[], readonly string[]]>([
  ['PATH finds', onPath, 'tool a.md', ['bin'], ['tool']],
  ['PATH finds further on', onPath, 'tool a.md', ['none', 'bin'], ['tool']],
  ['nothing finds', {}, 'tool a.md', ['bin'], []],
  [
    'the shell knows itself',
    {},
    'cd a && echo b && pwd && true && false',
    [],
    'cd echo pwd true false'.split(' '),
  ],
  ['is named by its path', onPath, '../bin/tool a.md', ['bin'], []],
  ['has a dot in its name', { '../bin/tool.sh': tool }, 'tool.sh', ['bin'], []],
  [
    'is a link to the folder',
    { '../bin/tool': new Link('../work/tool'), tool },
    'tool',
    ['bin'],
    [],
  ],
  ['comes behind the folder', onPath, 'tool', ['work', 'bin'], []],
  [
    'comes behind a link to the folder',
    { ...onPath, '../in': new Link('work') },
    'tool',
    ['in', 'bin'],
    [],
  ],
  ['comes behind where it runs', onPath, 'tool', ['', 'bin'], []],
  ['comes behind a relative folder', onPath, 'tool', ['.', 'bin'], []],
  ['comes before the folder', onPath, 'tool', ['bin', 'work'], ['tool']],
])(
  'takes for a program of the machine, or not, what %s',
  async (_what, files, line, path, found) => {
    expect([...(await findFor(line, files, ...path)).programs]).toEqual(found);
  },
);
