import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startedByWrite } from '../../../../src/agent/policy/guardedPlaces.js';
import { startedByLine } from '../../../../src/agent/policy/shell/commandRules.js';
import { createFileTree, type FileTree, Link } from '../../../helpers/attacks/fileTree.js';

async function folderWith(files: FileTree): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'guarded-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = join(root, 'work');
  await createFileTree(folder, { 'own.md': 'x', ...files });
  return folder;
}

const bare = { 'x/HEAD': 'ref: a', 'x/objects/a': '', 'x/refs/a': '' };
const config = (text: string): FileTree => ({ '.git/config': text });
const mebibyte = 1024 * 1024;
/** Of that many bytes, the last of which name a program. */
const configOf = (bytes: number) => config('\na = t.sh'.padStart(bytes, '#'));
/** Below a bare repository. */
const deep = (folders: number) => `x/${'a/'.repeat(folders - 1)}b`;
/** A chain of that many configurations that include one another, the last of which names a program. */
const includes = (count: number): FileTree => ({
  ...config('path = ../c1'),
  ...Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `c${at + 1}`,
      at + 1 < count ? `path = c${at + 2}` : 'a = t.sh',
    ]),
  ),
});

it.each<readonly [string, FileTree, string, string | undefined]>([
  ['its name', {}, 'a/.envrc', 'shell'],
  ['its name outside of the folder', {}, '../home/.bashrc', 'shell'],
  ['no name outside of the folder', {}, '../home/.local/notes.json', undefined],
  ['the folder of git', config(''), '.git/x', 'git'],
  ['a folder of git by another name', { '.git': 'gitdir: meta\n', 'meta/a': '' }, 'meta/b', 'git'],
  ['a file beside it', { '.git': 'gitdir: meta\n', 'meta/a': '' }, 'other/b', undefined],
  ['a link to a folder of git', { 'meta/a': '', '.git': new Link('meta') }, 'meta/b', 'git'],
  ['a bare repository', bare, 'x/deep/config', 'git'],
  ['the head of one', { 'x/objects/a': '', 'x/refs/a': '' }, 'x/HEAD', 'git'],
  ['the objects of one', { 'x/HEAD': '', 'x/refs/a': '' }, 'x/objects/b', 'git'],
  ['the references of one', { 'x/HEAD': '', 'x/objects/a': '' }, 'x/refs/b', 'git'],
  ['the link to the rest of one', { 'x/HEAD': '' }, 'x/commondir', 'git'],
  ['a head alone', { 'x/objects/a': '' }, 'x/HEAD', undefined],
  ['half of one', { 'x/HEAD': '', 'x/refs/a': '' }, 'x/config', undefined],
  ['the other half of one', { 'x/HEAD': '', 'x/objects/a': '' }, 'x/config', undefined],
  [
    'what is called like a head',
    { 'x/head/a': '', 'x/objects/a': '', 'x/refs/a': '' },
    'x/config',
    // elsewhere both names are one
    process.platform === 'linux' ? undefined : 'git',
  ],
  ['one without a head', { 'x/objects/a': '', 'x/refs/a': '' }, 'x/config', undefined],
  ['a path of the configuration', config('a = t/x.sh'), 't/x.sh', 'gitNamed'],
  ['a folder of the configuration', config('[core]\n  hooksPath = "t/h"'), 't/h/a/b', 'gitNamed'],
  ['a program with options', config('[a]\n\tb = sh -c "./t/x.sh -y"'), 't/x.sh', 'gitNamed'],
  ['a value behind its section', config('[core] pager = t.sh'), 't.sh', 'gitNamed'],
  ['a value of two lines', config('[a]\n\tpager = sh \\\r\n t.sh\r\n'), 't.sh', 'gitNamed'],
  ['a value without space around', config('[a]\nb=t.sh'), 't.sh', 'gitNamed'],
  ['a value that is no path', config('[a]\n\tRemote = src'), 'src/a.ts', undefined],
  ...'remote pushremote merge fetch push defaultbranch name email pushdefault rebase default description'
    .split(' ')
    .map((key) => [`a value of ${key}`, config(`${key} = src`), 'src/a.ts', undefined] as const),
  ['a configuration of 1 MiB', configOf(mebibyte), 't.sh', 'gitNamed'],
  ['a configuration that is not read, of more than 1 MiB', configOf(mebibyte + 1), 'a', 'gitNamed'],
  [
    'a folder of git whose rest is somewhere in 1 MiB',
    { ...config(''), '.git/commondir': '../m'.padEnd(mebibyte + 1, '\n'), 'm/config': 'a = t.sh' },
    't.sh',
    'gitNamed',
  ],
  ['what is in the 400th folder', bare, deep(400), 'git'],
  ['what is in more folders than are looked at', {}, deep(500), 'dotted'],
  [
    'a folder of a guarded link, 400 folders down',
    { [`${deep(400)}/c`]: '', '.vscode': new Link(deep(400)) },
    `${deep(400)}/tasks`,
    'editor',
  ],
  // the configuration and that of the worktree count
  ['the eighth configuration', includes(6), 't.sh', 'gitNamed'],
  ['a ninth configuration, which is not read', includes(7), 'a', 'gitNamed'],
  ['a comment', config('[a]\n# b = t.sh\n;c = t.sh'), 't.sh', undefined],
  ['a key without a value', config('[t.sh]\nt.sh'), 't.sh', undefined],
  ['the folder itself, named', config('[core]\n\tworktree = .'), 'a.md', undefined],
  ['a folder above, named', config('[core]\n\tworktree = ..'), 'a.md', undefined],
  ['the configuration of a worktree', { '.git/config.worktree': 'a = t.sh' }, 't.sh', 'gitNamed'],
  [
    'the configuration of the main worktree',
    { '.git': 'gitdir: m/w/a', 'm/w/a/commondir': '../..\n', 'm/config': 'a = t.sh' },
    't.sh',
    'gitNamed',
  ],
  [
    'an included configuration',
    { ...config('path = ../s/a.cfg'), 's/a.cfg': 'path = b.cfg', 's/b.cfg': 'a = t.sh' },
    't.sh',
    'gitNamed',
  ],
  [
    'a file that an included one includes',
    { ...config('path = ../s/a.cfg'), 's/a.cfg': 'path = b.cfg' },
    's/b.cfg',
    'gitNamed',
  ],
  [
    'a file beside an included one',
    { ...config('path = ../s/a.cfg'), 's/a.cfg': 'path = b.cfg' },
    's/c.cfg',
    undefined,
  ],
  [
    'what includes itself',
    { ...config('path = ../a.cfg'), 'a.cfg': 'path = a.cfg' },
    't.sh',
    undefined,
  ],
  [
    'an included configuration of the user',
    { ...config('path = ../../own.cfg'), '../own.cfg': 'a = t.sh' },
    't.sh',
    undefined,
  ],
  ['what a guarded link leads to', { 'a/b': '', '.envrc': new Link('a/b') }, 'a/b', 'shell'],
  ['below it', { 'a/b/c': '', 'x/.vscode': new Link('../a') }, 'x/y', undefined],
  ['a folder of a guarded link', { 'a/b/c': '', '.vscode': new Link('a') }, 'a/b/d', 'editor'],
  ['a link to another file', { 'a/b': '', '.envrc': new Link('a/b') }, 'a/c', undefined],
  ['a link that leaves the folder', { '.envrc': new Link('../a') }, 'a', undefined],
  ['a link with a plain name', { 'a/b': '', notes: new Link('a/b') }, 'a/b', undefined],
  ['a link with a dot', { 'a/b': '', '.unheard-of': new Link('a/b') }, 'a/b', undefined],
  ['a link in a guarded folder', { b: '', '.vscode/a': new Link('../b') }, 'b', 'editor'],
  ['a link among hooks', { b: '', '.husky/hooks/a': new Link('../../b') }, 'b', 'hooks'],
  ['a link further down', { b: '', '.vscode/a/c': new Link('../../b') }, 'b', undefined],
  ['a link in a plain folder', { b: '', 'c/.envrc': new Link('../b') }, 'b', undefined],
])('what would start something for a write: %s', async (_what, files, path, kind) => {
  const folder = await folderWith(files);
  const written = join(folder, path);
  expect(await startedByWrite(folder, { written, path: written })).toBe(kind);
});

it('looks at a file by the name that is written and by that to which links lead', async () => {
  const folder = await folderWith({ 'cfg/a': '' });
  const [link, path] = [join(folder, '.vscode', 'a'), join(folder, 'cfg', 'a')];
  expect(await startedByWrite(folder, { written: link, path })).toBe('editor');
  expect(await startedByWrite(folder, { written: path, path: link })).toBe('editor');
  expect(await startedByWrite(folder, { written: path, path })).toBeUndefined();
  const [outside, dotted] = [join(folder, '..', 'a'), join(folder, '.unheard-of', 'a')];
  expect(await startedByWrite(folder, { written: outside, path: dotted })).toBe('dotted');
});

it.each([
  ['{"version":"1"}', '{"version":"2"}', undefined],
  ['{"version":"1"}', '{"scripts":{"a":"b"}}', 'install'],
  [undefined, '{}', undefined],
])('compares what a manifest was with what it becomes: %s, %s', async (before, after, kind) => {
  const folder = await folderWith({});
  const [plain, manifest] = [join(folder, 'a'), join(folder, 'package.json')];
  const texts = { before, after };
  for (const [written, path] of [
    [plain, manifest],
    [manifest, plain],
  ] as const) {
    expect(await startedByWrite(folder, { written, path, texts })).toBe(kind);
    // not to be known is not to be plain
    expect(await startedByWrite(folder, { written, path })).toBe('install');
  }
});

it.each([
  ['echo x > .envrc', 'shell'],
  ['echo x > own.md 2> .envrc', 'shell'],
  ['echo .envrc > own.md', undefined],
  ['cat < .envrc', undefined],
  ['true && (echo x; echo y > a.md) && echo x >> .envrc', 'shell'],
  ['cd .vscode && echo x > tasks.json', 'editor'],
  ['cd sub && echo x > tasks.json', undefined],
  ['cd $X && echo x > .envrc', 'shell'],
  ['echo x > inside/tasks.json', 'editor'],
  ['echo x > out/.envrc', 'shell'],
  ['echo x | tee -a own.md .envrc', 'shell'],
  ['echo x | /usr/bin/tee .envrc', 'shell'],
  ['touch .envrc', 'shell'],
  ['truncate -s 0 .envrc', 'shell'],
  ['touch a > .envrc', 'shell'],
  ['time nohup touch .envrc', 'shell'],
  ['grep .envrc own.md', undefined],
  ['dd if=.envrc of=own.md', undefined],
  ['dd if=own.md of=.envrc', 'shell'],
  ['dd if=own.md > .envrc', 'shell'],
  ['grep -t.envrc own.md', undefined],
  ['cp own.md a.md', undefined],
  ['cp own.md .envrc', 'shell'],
  ['cp a own.md > .envrc', 'shell'],
  ['cp a/.envrc sub', 'shell'],
  ['cp a/b .vscode', 'editor'],
  ['cp -t .vscode a', 'editor'],
  ['cp --target-directory .vscode a', 'editor'],
  ['cp -t.vscode a', 'editor'],
  ['cp --target-directory=.vscode a', 'editor'],
  ['cp -t sub .envrc', 'shell'],
  ['mv own.md .mcp.json', 'agent'],
  ['ln -s own.md .envrc', 'shell'],
  ['install own.md .envrc', 'shell'],
  ['rsync own.md .envrc', 'shell'],
  ['scp own.md .envrc', 'shell'],
  // what is not understood is searched
  ['if true; then echo x >.envrc; fi', 'shell'],
  ['if true; then echo x >> ".envrc"; fi', 'shell'],
  ["if true; then echo x >| '.envrc'; fi", 'shell'],
  ['if true; then echo x &> .envrc; fi', 'shell'],
  ['if true; then cat .envrc; fi', undefined],
  ['cat <<EOF > own.md\na > .envrc\nEOF', undefined],
  ['cat <<EOF > own.md\na\nEOF\n{ echo x > .envrc; }', 'shell'],
  ['cat <<A <<-"B" > own.md\na\nA\nb > .envrc\n\tB\ntrue', undefined],
  ['cat <<A <<-"B" > own.md\na\nA\nb\n\tB\ntrue > .envrc', 'shell'],
])('what a line would write that starts something: %j', async (line, kind) => {
  const folder = await folderWith({
    '.vscode/settings.md': 'x',
    inside: new Link('.vscode'),
    out: new Link('..'),
    'sub/a': 'x',
  });
  expect(await startedByLine(line, folder)).toBe(kind);
});

it('searches the first 20,000 characters of a line that is not understood', async () => {
  const folder = await folderWith({});
  const found = [19_980, 20_000].map((length) =>
    startedByLine(`{ ${'x'.repeat(length)}; } > .envrc`, folder),
  );
  expect(await Promise.all(found)).toEqual(['shell', undefined]);
});
