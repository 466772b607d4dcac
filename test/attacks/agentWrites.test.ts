/** Writes of the model that would start something later, while rules and modes allow it to write. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { AgentScene } from '../helpers/attacks/agentScene.js';
import { type FileTree, Link } from '../helpers/attacks/fileTree.js';

const run = promisify(execFile);

const write = (path: string, content = 'written') =>
  `call write ${JSON.stringify({ path, content })}`;
const edit = (path: string, oldText: string, newText: string) =>
  `call edit ${JSON.stringify({ path, edits: [{ oldText, newText }] })}`;

async function git(s: AgentScene, ...args: readonly string[]): Promise<void> {
  await run('git', args, { cwd: s.path(), env: { PATH: process.env.PATH, HOME: s.agent.root } });
}

/** Nothing is asked about that need not be: the user runs freely, and has a rule for both tools. */
async function openScene(files: FileTree = {}): Promise<AgentScene> {
  const s = await AgentScene.create({ files: () => ({ 'own.md': 'own text', ...files }) });
  await s.agent.panel.prompt(write('rule.md'));
  const { state } = await s.agent.untilAsked();
  s.agent.panel.decide(state.approvals[0]?.id ?? '', 'session');
  await s.agent.untilDone();
  // the rule is for edits, too
  await s.say(edit('own.md', 'own', 'other'));
  s.agent.defaultMode.set('runFreely');
  return s;
}

/** @returns the question, which is then answered */
async function asked(s: AgentScene, call: string, answer: 'deny' | 'session' = 'deny') {
  await s.agent.panel.prompt(call);
  const { state } = await s.agent.untilAsked();
  const [question] = state.approvals;
  s.agent.panel.decide(question?.id ?? '', answer);
  await s.agent.untilDone();
  return question;
}

const textOf = (s: AgentScene, path: string) =>
  readFile(s.path(path), 'utf8').catch(() => undefined);

describe('a file that starts something', () => {
  it('control: other files are written unasked', async () => {
    const s = await openScene({ 'package.json': '{"version":"1","scripts":{"test":"t"}}' });
    const paths = ['own.md', 'src/new.ts', '.gitignore', '.github/ISSUE_TEMPLATE/bug.md', '.env'];
    for (const path of paths) {
      await s.say(write(path));
      expect(await textOf(s, path)).toBe('written');
    }
    await s.say(edit('package.json', '"1"', '"2"'));
    expect(await textOf(s, 'package.json')).toContain('"2"');
  });

  it('control: git runs what its configuration names', async () => {
    const s = await openScene();
    await git(s, 'init', '-q');
    const config = `[core]\n\tfsmonitor = "touch ${s.ran.path('fsmonitor')} #"\n`;
    await s.agent.panel.prompt(write('.git/config', config));
    const { state } = await s.agent.untilAsked();
    expect(state.approvals[0]).toMatchObject({ why: { kind: 'starts', by: 'git' }, places: [] });
    s.agent.panel.decide(state.approvals[0]?.id ?? '', 'once');
    await s.agent.untilDone();
    await git(s, 'status');
    expect(await s.ran.sprung()).toEqual(['fsmonitor']);
  });

  it('control: what may write is known while it runs, and what reads is not', async () => {
    const s = await openScene();
    const { acting } = s.agent.service;
    const before = acting.ever;
    await s.say('call read {"path": "own.md"}');
    expect(acting.ever).toBe(before);
    for (const call of [write('own.md'), 'call bash {"command": ":"}']) {
      await s.say(call);
    }
    expect(acting).toEqual({ now: 0, ever: before + 2 });
  });

  it('asks again each time, whatever was answered', async () => {
    const s = await openScene();
    for (const content of ['a', 'b']) {
      const question = await asked(s, write('.envrc', content), 'session');
      expect(question?.why).toEqual({ kind: 'starts', by: 'shell' });
      expect(await textOf(s, '.envrc')).toBe(content);
    }
  });

  it.each([
    ['.git/hooks/pre-commit', 'git'],
    ['.GIT/Config', 'git'],
    ['src/../.git/config', 'git'],
    ['.g\u200cit/config', 'git'],
    ['.gitattributes', 'git'],
    ['.vscode/tasks.json', 'editor'],
    ['.mcp.json', 'agent'],
    ['.MCP.json', 'agent'],
    ['.pi/settings.json', 'agent'],
    ['.husky/pre-commit', 'hooks'],
    ['.npmrc', 'install'],
    ['packages/a/.envrc', 'shell'],
    ['.github/workflows/ci.yml', 'pipeline'],
    ['.devcontainer/devcontainer.json', 'container'],
    ['.unheard-of/config.json', 'dotted'],
  ] as const)('does nothing unasked: %s', async (path, by) => {
    const s = await openScene();
    expect((await asked(s, write(path)))?.why).toEqual({ kind: 'starts', by });
    expect(await textOf(s, path)).toBeUndefined();
  });

  it.each([
    ['scripts', '{"version":"1"}', '{"version":"1","scripts":{"prepare":"x"}}'],
    ['a hook', '{"scripts":{}}', '{"scripts":{},"lint-staged":{"*":"x"}}'],
    ['what cannot be read', '{"version":"1"}', '{"version":"1",}'],
  ])('does nothing unasked: a manifest with another %s', async (_what, before, after) => {
    const s = await openScene({ 'package.json': before });
    for (const call of [write('package.json', after), edit('package.json', before, after)]) {
      expect((await asked(s, call))?.why).toEqual({ kind: 'starts', by: 'install' });
    }
    expect(await textOf(s, 'package.json')).toBe(before);
  });
});

describe('a file that the disk makes one', () => {
  it.each<[string, FileTree, string, string]>([
    ['a link to the folder of git', { '.git/config': '', meta: new Link('.git') }, 'meta/x', 'git'],
    ['a link to a file', { '.envrc': '', 'notes.md': new Link('.envrc') }, 'notes.md', 'shell'],
    ['a link from it', { 'cfg/a': '', '.vscode': new Link('cfg') }, 'cfg/tasks.json', 'editor'],
    [
      'a hook that is a link',
      { 'tools/check.sh': '', '.git/hooks/pre-commit': new Link('../../tools/check.sh') },
      'tools/check.sh',
      'git',
    ],
    ['another folder of git', { '.git': 'gitdir: meta\n', 'meta/a': '' }, 'meta/config', 'git'],
    [
      'a folder of hooks',
      { '.git/config': '[core]\n\thooksPath = tools/hooks\n' },
      'tools/hooks/pre-commit',
      'gitNamed',
    ],
    [
      'a program of the configuration',
      { '.git/config': '[diff "x"]\n\ttextconv = sh "./tools/a.sh" -x\n' },
      'tools/a.sh',
      'gitNamed',
    ],
    [
      'an included configuration',
      { '.git/config': '[include]\n\tpath = ../shared.cfg\n', 'shared.cfg': '[core]\npager=t.sh' },
      't.sh',
      'gitNamed',
    ],
    [
      'a bare repository',
      { 'x/HEAD': 'ref: a', 'x/objects/a': '', 'x/refs/a': '' },
      'x/config',
      'git',
    ],
    [
      'the last part of one',
      { 'x/config': '', 'x/objects/a': '', 'x/HEAD': 'ref: a' },
      'x/refs/a',
      'git',
    ],
    ['its head', { 'x/config': '', 'x/objects/a': '', 'x/refs/a': '' }, 'x/HEAD', 'git'],
  ])('does nothing unasked: %s', async (_what, files, path, by) => {
    const s = await openScene(files);
    expect((await asked(s, write(path)))?.why).toEqual({ kind: 'starts', by });
    expect(await textOf(s, path)).not.toBe('written');
  });

  it('control: what is beside them is written unasked', async () => {
    const s = await openScene({
      '.git/config': '[core]\n\thooksPath = tools/hooks\n[branch "a"]\n\tremote = src\n',
      'x/HEAD': 'ref: a',
    });
    for (const path of ['tools/other.sh', 'src/a.ts', 'x/config', 'objects/a']) {
      await s.say(write(path));
      expect(await textOf(s, path)).toBe('written');
    }
  });

  it('refuses what became one after it was allowed', async () => {
    const s = await openScene();
    const { FileCalls } = await import('../../src/agent/builtIn/fileCalls.js');
    const calls = new FileCalls({ folder: s.path(), isTrusted: true });
    const path = s.path('cfg/tasks.json');
    await mkdir(dirname(path));
    (await calls.describe('write', { path }))?.pin?.('call');
    await symlink('cfg', s.path('.vscode'));
    await expect(calls.takeFile('call').write(path, 'written')).rejects.toThrow('approved');
    (await calls.describe('write', { path }))?.pin?.('other');
    await calls.takeFile('other').write(path, 'written');
    expect(await textOf(s, 'cfg/tasks.json')).toBe('written');
  });

  it('refuses parts of a manifest that are plain one by one', async () => {
    const s = await openScene();
    await writeFile(s.path('package.json'), '{"scripts":{"a":"b"}}');
    const { FileCalls } = await import('../../src/agent/builtIn/fileCalls.js');
    const calls = new FileCalls({
      folder: s.path(),
      isTrusted: true,
      preview: async () => ({ view: {} as never, texts: { before: '{}', after: '{}' } }),
    });
    (await calls.describe('write', { path: 'package.json' }))?.pin?.('call');
    await expect(calls.takeFile('call').write(s.path('package.json'), '{}')).rejects.toThrow();
  });
});

describe('a line of the shell that writes what starts something', () => {
  const call = (command: string) => `call bash ${JSON.stringify({ command })}`;

  it('control: it writes other files unasked', async () => {
    const s = await openScene();
    for (const command of [
      "cat > here.md <<'EOF'\na > .envrc\nEOF",
      'echo plain > plain.txt',
      'echo plain | tee teed.txt',
      'cp own.md c.md',
    ]) {
      await s.say(call(command));
    }
    expect(await textOf(s, 'here.md')).toBe('a > .envrc\n');
    expect(await textOf(s, 'plain.txt')).toBe('plain\n');
    expect(await textOf(s, 'teed.txt')).toBe('plain\n');
    expect(await textOf(s, 'c.md')).toBe('other text');
  });

  it.each([
    ['echo x > .envrc', '.envrc', 'shell'],
    ['echo x >> ".en"vrc', '.envrc', 'shell'],
    ['echo x 2>&1 >| ./.envrc', '.envrc', 'shell'],
    ['true && echo x | tee -a .envrc', '.envrc', 'shell'],
    ['(cat < own.md) && cat own.md > .vscode/tasks.json', '.vscode/tasks.json', 'editor'],
    ['cd .vscode && echo x > tasks.json', '.vscode/tasks.json', 'editor'],
    ['echo $(echo x > .vscode/tasks.json)', '.vscode/tasks.json', 'editor'],
    ['echo x > inside/tasks.json', '.vscode/tasks.json', 'editor'],
    ["cat > .envrc <<'EOF'\nx\nEOF", '.envrc', 'shell'],
    ['cat <<EOF >> ".vscode/tasks.json"\nx\nEOF\ntrue', '.vscode/tasks.json', 'editor'],
    ['if true; then echo x >.envrc; fi', '.envrc', 'shell'],
    ['cp own.md .vscode/tasks.json', '.vscode/tasks.json', 'editor'],
    ['time cp -f own.md .vscode', '.vscode/own.md', 'editor'],
    ['cp -t .vscode own.md', '.vscode/own.md', 'editor'],
    ['ln -s own.md .envrc', '.envrc', 'shell'],
    ['mv own.md .mcp.json', '.mcp.json', 'agent'],
    ['dd if=own.md of=.mcp.json', '.mcp.json', 'agent'],
    ['echo "{}" > package.json', 'package.json', 'install'],
  ])('asks each time, whatever was answered: %j', async (command, path, by) => {
    const s = await openScene({ '.vscode/settings.md': 'x', inside: new Link('.vscode') });
    for (const answer of ['session', 'deny'] as const) {
      const before = await textOf(s, path);
      const question = await asked(s, call(command), answer);
      expect(question).toMatchObject({ why: { kind: 'starts', by }, places: [] });
      const after = await textOf(s, path);
      expect(after === before).toBe(answer === 'deny');
    }
  });
});
