/**
 * Lines that seem to read and, in a hostile folder, do more: each is asked about, and each, run in a real shell, does what it
 * is asked about for. The same lines in a folder without those files run without a question, and change nothing.
 */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type CommandPattern,
  findLinePlaces,
  findLineReading,
  judgeCommand,
} from '../../src/agent/policy/shell/commandRules.js';

let root: string;
const plain = () => join(root, 'plain');
const work = () => join(root, 'work');
const canary = () => join(root, 'canary');
const systemPath = '/usr/local/bin:/usr/bin:/bin';

const environment = (path: string) => ({
  PATH: path,
  HOME: join(root, 'home'),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
});

function run(line: string, path = systemPath): string {
  const { stdout } = spawnSync('/bin/bash', ['-c', line], {
    cwd: work(),
    env: environment(path),
    encoding: 'utf8',
    timeout: 20_000,
  });
  return stdout;
}

async function isFree(line: string, path = systemPath): Promise<boolean> {
  const places = await findLinePlaces(line, work());
  return judgeCommand(line, [], places, await findLineReading(line, work(), path)).isReading;
}

function git(folder: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync('git', ['-C', folder, ...args], {
    env: environment(systemPath),
    encoding: 'utf8',
  });
  expect(stderr.startsWith('fatal') ? stderr : '').toBe('');
  expect(status).toBe(0);
}

function makeRepository(folder: string): void {
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'a.md'), 'one\ntwo\n');
  writeFileSync(join(folder, 'src/x.ts'), 'x\n');
  git(folder, 'init', '-q');
  git(folder, 'config', 'user.name', 'A');
  git(folder, 'config', 'user.email', 'a@example.com');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'One');
  writeFileSync(join(folder, 'a.md'), 'one\nthree\n');
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'reading-lines-'));
  mkdirSync(join(root, 'home'));
  writeFileSync(join(root, 'key'), 'canary of the user\n');
  writeFileSync(join(root, 'evil'), `#!/bin/sh\n: > '${canary()}'\n`);
  chmodSync(join(root, 'evil'), 0o755);
  makeRepository(plain());
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeEach(() => {
  rmSync(canary(), { force: true });
  rmSync(work(), { recursive: true, force: true });
  cpSync(plain(), work(), { recursive: true });
});

const set = (key: string, value: string) => git(work(), 'config', key, value);
const evil = () => join(root, 'evil');
const attribute = (text: string) => writeFileSync(join(work(), '.gitattributes'), `${text}\n`);
/** So that git looks at the contents again. */
const touch = () => utimesSync(join(work(), 'a.md'), 1, 1);

/** With rules of the user for a part of the line. */
async function isAllowed(line: string, ...allowed: readonly CommandPattern[]): Promise<boolean> {
  const rules = allowed.map((pattern, at) => ({
    id: String(at),
    scope: 'folder' as const,
    subject: { kind: 'command' as const, ...pattern },
    since: '2026-11-26T10:00:00.000Z',
  }));
  const places = await findLinePlaces(line, work());
  const reading = await findLineReading(line, work(), systemPath);
  return judgeCommand(line, rules, places, reading).isAllowed;
}

interface Trap {
  readonly name: string;
  readonly line: string;
  readonly set: () => void;
  readonly path?: () => string;
}

const starts: readonly Trap[] = [
  { name: 'a monitor of files', line: 'git status', set: () => set('core.fsmonitor', evil()) },
  { name: 'another program to compare', line: 'git diff', set: () => set('diff.external', evil()) },
  {
    name: 'a program that makes text of files',
    line: 'git show HEAD',
    set: () => {
      set('diff.x.textconv', evil());
      attribute('*.md diff=x');
    },
  },
  {
    name: 'a filter of contents',
    line: 'git diff',
    set: () => {
      set('filter.x.clean', `${evil()}; cat`);
      attribute('*.md filter=x');
      touch();
    },
  },
  {
    name: 'a filter that another file of the repository brings in',
    line: 'git diff',
    set: () => {
      writeFileSync(join(work(), 'more'), `[filter "x"]\n\tclean = "${evil()}; cat"\n`);
      set('include.path', '../more');
      attribute('*.md filter=x');
      touch();
    },
  },
  {
    name: 'a program that looks at signatures',
    line: 'git log',
    set: () => {
      set('gpg.program', evil());
      set('format.pretty', '%G?');
      const { stdout } = spawnSync('git', ['-C', work(), 'cat-file', 'commit', 'HEAD'], {
        encoding: 'utf8',
      });
      const [head = '', ...text] = stdout.split('\n\n');
      const signed = `${head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n${text.join('\n\n')}`;
      const { stdout: id } = spawnSync(
        'git',
        ['-C', work(), 'hash-object', '-t', 'commit', '-w', '--stdin'],
        { input: signed, encoding: 'utf8' },
      );
      git(work(), 'update-ref', 'HEAD', id.trim());
    },
  },
  {
    name: 'a hook of the index, which git writes when it compares',
    line: 'git diff',
    set: () => cpSync(evil(), join(work(), '.git/hooks/post-index-change')),
  },
  {
    name: 'a repository in the index, with a monitor of its own',
    line: 'git status',
    set: () => {
      makeRepository(join(work(), 'inner'));
      git(work(), 'add', 'inner');
      git(join(work(), 'inner'), 'config', 'core.fsmonitor', evil());
    },
  },
  {
    name: 'a repository below, where the line goes first',
    line: 'cd inner && git status',
    set: () => {
      makeRepository(join(work(), 'inner'));
      git(join(work(), 'inner'), 'config', 'core.fsmonitor', evil());
    },
  },
  {
    name: 'a repository that has its configuration elsewhere',
    line: 'git status',
    set: () => {
      makeRepository(join(work(), 'inner'));
      git(join(work(), 'inner'), 'config', 'core.fsmonitor', evil());
      writeFileSync(join(work(), '.git/commondir'), '../inner/.git\n');
    },
  },
  {
    name: 'a program of the folder on PATH',
    line: 'ls',
    set: () => cpSync(evil(), join(work(), 'ls')),
    path: () => [work(), systemPath].join(delimiter),
  },
  {
    name: 'a program of the folder, as PATH names where the line runs',
    line: 'ls',
    set: () => cpSync(evil(), join(work(), 'ls')),
    path: () => ['.', systemPath].join(delimiter),
  },
  {
    name: 'a program behind a link to the folder on PATH',
    line: 'ls',
    set: () => {
      cpSync(evil(), join(work(), 'ls'));
      rmSync(join(root, 'bin'), { force: true });
      symlinkSync(work(), join(root, 'bin'));
    },
    path: () => [join(root, 'bin'), systemPath].join(delimiter),
  },
];

it.each(starts)('is asked about where it would start $name', async ({ line, set, path }) => {
  set();
  expect(await isFree(line, path?.())).toBe(false);
  run(line, path?.());
  // what it was asked about for
  expect(existsSync(canary())).toBe(true);
});

const innerMonitor = () => {
  makeRepository(join(work(), 'inner'));
  git(join(work(), 'inner'), 'config', 'core.fsmonitor', evil());
};

it.each([
  ['command cd inner && git status', { words: ['cd', 'inner'], isPrefix: false }],
  ['git add inner && git status', { words: ['git', 'add'], isPrefix: true }],
  ['git add inner & git status', { words: ['git', 'add'], isPrefix: true }],
])(
  'is asked about where a part that rules allow changes what Git reads: %s',
  async (line, rule) => {
    innerMonitor();
    const [first = ''] = line.split(/ &&? /);
    expect(await isAllowed(first, rule)).toBe(true);
    expect(await isAllowed(line, rule)).toBe(false);
    run(line.replace(' & ', ' && '));
    expect(existsSync(canary())).toBe(true);
  },
);

const tells: readonly Trap[] = [
  {
    name: 'a link',
    line: 'cat link',
    set: () => symlinkSync(join(root, 'key'), join(work(), 'link')),
  },
  {
    name: 'a link that a pattern finds',
    line: 'cat ./l*',
    set: () => symlinkSync(join(root, 'key'), join(work(), 'link')),
  },
  {
    name: 'a link to a folder',
    line: 'grep -r canary up/',
    set: () => symlinkSync(root, join(work(), 'up')),
  },
  { name: 'the folder above', line: 'cd .. && cat key', set: () => undefined },
  { name: 'a path that goes up', line: 'cat src/../../key', set: () => undefined },
  {
    name: 'a file that is named like an option',
    line: 'sort *',
    set: () => {
      for (const name of ['.git', 'src', 'a.md']) {
        rmSync(join(work(), name), { recursive: true });
      }
      writeFileSync(join(work(), '--files0-from=.list'), '');
      writeFileSync(join(work(), '.list'), `${join(root, 'key')}\0`);
    },
  },
];

it.each(tells)('is asked about where it would tell what is behind $name', async ({ line, set }) => {
  set();
  expect(await isFree(line)).toBe(false);
  expect(run(line)).toContain('canary of the user');
});

it('is free where nothing of that stands, starts nothing and changes nothing', async () => {
  const lines = [
    ...['git status', 'git diff', 'git show HEAD', 'git log -p', 'git blame a.md', 'git branch -a'],
    ...['git ls-files -o', 'git grep -n one', 'ls -la', 'cat a.md', 'grep -rn x src', 'pwd'],
    ...[
      "find . -name '*.ts'",
      'cat a.md | sort | uniq -c | head -3',
      'sed -n 1,2p a.md',
      'wc -l a.md',
    ],
  ];
  const before = listed(work());
  for (const line of lines) {
    expect({ line, isFree: await isFree(line) }).toEqual({ line, isFree: true });
    run(line);
  }
  expect(listed(work())).toEqual(before);
});

/** Every file with its content, but for what git keeps to compare faster. */
function listed(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== join('.git', 'index'))
    .sort()
    .map((name) => {
      const path = join(folder, name);
      return statSync(path).isFile() ? `${name} ${readFileSync(path, 'hex')}` : name;
    });
}
