/** Pi's own tools for files and the shell, with the real Pi: links, paths, and what changes while the user is asked. */
import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentScene, type AgentSceneOptions } from '../helpers/attacks/agentScene.js';
import { Link } from '../helpers/attacks/fileTree.js';
import { Lookups } from '../helpers/attacks/lookups.js';
import { useSearchProgram } from '../helpers/attacks/searchProgram.js';

useSearchProgram();

const home = process.env.HOME;
afterEach(async () => {
  process.env.HOME = home;
});

async function openScene(options: AgentSceneOptions = {}): Promise<AgentScene> {
  const scene = await AgentScene.create(options);
  process.env.HOME = scene.agent.root;
  return scene;
}

const waysOut = (s: AgentScene) => ({
  'an absolute path': s.secretPath,
  'a path with dots': '../outside/secret.md',
  'a file URL': `file://${s.secretPath}`,
  'a path from the home folder': '~/outside/secret.md',
  'a link': 'link.md',
  'a link to a link': 'second.md',
  'a link to a folder': 'folder/secret.md',
});

const out = {
  files: ({ secretPath, outside }: { secretPath: string; outside: string }) => ({
    'own.md': 'own text',
    'link.md': new Link(secretPath),
    'second.md': new Link('link.md'),
    folder: new Link(outside),
    'inner.md': new Link('own.md'),
  }),
};
const names = Object.keys(waysOut({} as AgentScene)) as (keyof ReturnType<typeof waysOut>)[];
const call = (tool: string, args: object) => `call ${tool} ${JSON.stringify(args)}`;

function lastResult(s: AgentScene): string {
  return JSON.stringify(s.agent.tools().at(-1)?.result);
}

describe('reading', () => {
  it('control: is free inside of the folder, also through links that stay there', async () => {
    for (const isTrusted of [true, false]) {
      const s = await openScene({ ...out, isTrusted });
      for (const path of ['own.md', 'inner.md', './own.md', s.path('own.md')]) {
        await s.say(call('read', { path }));
        expect(lastResult(s)).toContain('own text');
      }
    }
  });

  it.each(names)('control: %s leads to the secret once the user agrees', async (name) => {
    const s = await openScene(out);
    await s.agent.panel.prompt(call('read', { path: waysOut(s)[name] }));
    const { state } = await s.agent.untilAsked();
    expect(state.approvals[0]?.effect).toEqual({ kind: 'outside', text: s.secretPath });
    s.agent.panel.decide(state.approvals[0]?.id ?? '', 'once');
    await s.agent.untilDone();
    expect(s.isSecretTold).toBe(true);
  });

  it.each(names)('does nothing: %s, when the user denies', async (name) => {
    const s = await openScene(out);
    await s.agent.panel.prompt(call('read', { path: waysOut(s)[name] }));
    const { state } = await s.agent.untilAsked();
    s.agent.panel.decide(state.approvals[0]?.id ?? '', 'deny');
    await s.agent.untilDone();
    expect(s.isSecretTold).toBe(false);
  });

  it.each(names)(
    'does nothing: %s, in Restricted Mode, not even with all allowed',
    async (name) => {
      const s = await openScene({ ...out, isTrusted: false });
      s.agent.defaultMode.set('runFreely');
      const lookups = new Lookups();
      try {
        await s.say(call('read', { path: waysOut(s)[name] }));
        expect(lookups.of(s.outside)).toEqual([]);
      } finally {
        lookups.dispose();
      }
      expect(lastResult(s)).toContain('Restricted Mode');
      expect(s.isSecretTold).toBe(false);
    },
  );

  it.each(['ls', 'grep', 'find'])('does nothing: %s outside in Restricted Mode', async (tool) => {
    const s = await openScene({ ...out, isTrusted: false });
    for (const path of [s.outside, 'folder', '..']) {
      await s.say(call(tool, { path, pattern: 'planted' }));
      expect(lastResult(s)).toContain('Restricted Mode');
    }
    expect(s.isSecretTold).toBe(false);
    expect(JSON.stringify(s.agent.tools())).not.toContain('secret.md');
  });

  it.each(['ls', 'grep', 'find'])(
    'control: %s finds what is outside once allowed',
    async (tool) => {
      const s = await openScene(out);
      await s.agent.panel.prompt(
        call(tool, { path: 'folder', pattern: tool === 'find' ? '*' : 'planted' }),
      );
      const { state } = await s.agent.untilAsked();
      expect(state.approvals[0]?.effect).toEqual({ kind: 'outside', text: s.outside });
      s.agent.panel.decide(state.approvals[0]?.id ?? '', 'once');
      await s.agent.untilDone();
      expect(lastResult(s)).toContain('secret.md');
    },
  );

  it('does nothing: a search through a folder with links out of it', async () => {
    const s = await openScene(out);
    for (const args of [
      { pattern: 'planted' },
      { pattern: 'planted', context: 3 },
      { pattern: 'own', context: 3 },
    ]) {
      await s.say(call('grep', args));
    }
    await s.say(call('find', { pattern: 'secret*' }));
    expect(s.isSecretTold).toBe(false);
    expect(JSON.stringify(s.agent.tools())).toContain('own text');
    expect(lastResult(s)).not.toContain('secret.md');
  });

  it('does nothing: a search while ripgrep is told to follow links', async () => {
    const s = await openScene(out);
    const config = join(s.agent.root, 'ripgreprc');
    await writeFile(config, '--hidden\n--follow\n');
    process.env.RIPGREP_CONFIG_PATH = config;
    try {
      await s.say(call('grep', { pattern: 'planted' }));
    } finally {
      delete process.env.RIPGREP_CONFIG_PATH;
    }
    expect(s.isSecretTold).toBe(false);
    expect(lastResult(s)).toContain('Nothing found.');
  });

  it('takes dots behind a link as text, as Pi does', async () => {
    const s = await openScene(out);
    await s.say(call('read', { path: 'folder/../own.md' }));
    expect(lastResult(s)).toContain('own text');
    await s.say(call('read', { path: 'folder/../outside/secret.md' }));
    expect(s.isSecretTold).toBe(false);
  });

  it('covers one place at a time with "for this session"', async () => {
    const s = await openScene(out);
    await writeFile(join(s.outside, 'other.md'), 'other');
    await s.agent.panel.prompt(call('read', { path: 'link.md' }));
    const { state } = await s.agent.untilAsked();
    s.agent.panel.decide(state.approvals[0]?.id ?? '', 'session');
    await s.agent.untilDone();
    await s.say(call('read', { path: s.secretPath }));
    await s.agent.panel.prompt(call('read', { path: join(s.outside, 'other.md') }));
    await s.agent.untilAsked();
  });
});

describe('writing', () => {
  const write = (path: string) => call('write', { path, content: 'written' });

  it('control: writes to the folder, to new folders of it and through its links', async () => {
    const s = await openScene(out);
    s.agent.defaultMode.set('runFreely');
    for (const path of ['own.md', 'new/deep/file.md']) {
      await s.say(write(path));
    }
    expect(await readFile(s.path('own.md'), 'utf8')).toBe('written');
    await s.agent.panel.prompt(call('write', { path: 'inner.md', content: 'through' }));
    const { state } = await s.agent.untilAsked();
    s.agent.panel.decide(state.approvals[0]?.id ?? '', 'once');
    await s.agent.untilDone();
    expect(await readFile(s.path('own.md'), 'utf8')).toBe('through');
    expect(await readFile(s.path('new/deep/file.md'), 'utf8')).toBe('written');
    await s.say(
      call('edit', { path: 'own.md', edits: [{ oldText: 'through', newText: 'edited' }] }),
    );
    expect(await readFile(s.path('own.md'), 'utf8')).toBe('edited');
  });

  it.each(['write', 'edit'])('shows where a link leads to before %s', async (tool) => {
    const s = await openScene(out);
    const edits = [{ oldText: 'planted', newText: 'replaced' }];
    for (const [path, effect] of [
      ['link.md', { kind: 'outside', text: s.secretPath }],
      ['inner.md', { kind: 'link', text: s.path('own.md') }],
      ['own.md', undefined],
    ] as const) {
      await s.agent.panel.prompt(call(tool, { path, content: 'written', edits }));
      const { state } = await s.agent.untilAsked();
      expect(state.approvals[0]?.effect).toEqual(effect);
      s.agent.panel.decide(state.approvals[0]?.id ?? '', 'deny');
      await s.agent.untilDone();
    }
    expect(await readFile(s.secretPath, 'utf8')).toBe(s.secret);
  });

  it('does not cover a link with "for this session" of a plain file', async () => {
    const s = await openScene(out);
    await s.agent.panel.prompt(write('plain.md'));
    const { state } = await s.agent.untilAsked();
    s.agent.panel.decide(state.approvals[0]?.id ?? '', 'session');
    await s.agent.untilDone();
    await s.say(write('other.md'));
    await s.agent.panel.prompt(write('link.md'));
    await s.agent.untilAsked();
  });

  it('names the target of a link that leads to nothing yet', async () => {
    const s = await openScene({
      files: ({ outside }) => ({ 'new.md': new Link(join(outside, 'new.md')) }),
    });
    await s.agent.panel.prompt(write('new.md'));
    const { state } = await s.agent.untilAsked();
    expect(state.approvals[0]?.effect).toEqual({
      kind: 'outside',
      text: join(s.outside, 'new.md'),
    });
  });
});

describe('what changes while the user is asked', () => {
  it('asks again for a file that has become a link', async () => {
    const s = await openScene(out);
    await s.agent.panel.prompt(call('write', { path: 'own.md', content: 'written' }));
    const { state } = await s.agent.untilAsked();
    await rm(s.path('own.md'));
    await symlink(s.secretPath, s.path('own.md'));
    s.agent.panel.decide(state.approvals[0]?.id ?? '', 'once');
    const again = await s.agent.until('another question', ({ state: { approvals } }) =>
      approvals.some(({ effect }) => effect?.text === s.secretPath),
    );
    s.agent.panel.decide(again.state.approvals[0]?.id ?? '', 'deny');
    await s.agent.untilDone();
    expect(await readFile(s.secretPath, 'utf8')).toBe(s.secret);
  });

  it('asks again for a link that leads elsewhere', async () => {
    const s = await openScene(out);
    await writeFile(join(s.outside, 'harmless.md'), 'harmless');
    await rm(s.path('link.md'));
    await symlink(join(s.outside, 'harmless.md'), s.path('link.md'));
    await s.agent.panel.prompt(call('read', { path: 'link.md' }));
    const { state } = await s.agent.untilAsked();
    await rm(s.path('link.md'));
    await symlink(s.secretPath, s.path('link.md'));
    s.agent.panel.decide(state.approvals[0]?.id ?? '', 'once');
    await s.agent.until('another question', ({ state: { approvals } }) =>
      approvals.some(({ effect }) => effect?.text === s.secretPath),
    );
    expect(s.isSecretTold).toBe(false);
  });

  it('asks again for a path that the user wrote instead and that leads elsewhere', async () => {
    const s = await openScene(out);
    await s.agent.panel.prompt(call('write', { path: 'own.md', content: 'written' }));
    const { state } = await s.agent.untilAsked();
    const edited = JSON.stringify({ path: 'link.md', content: 'written' });
    s.agent.panel.decide(state.approvals[0]?.id ?? '', 'once', edited);
    await s.agent.until('another question', ({ state: { approvals } }) =>
      approvals.some(({ effect }) => effect?.text === s.secretPath),
    );
    expect(await readFile(s.secretPath, 'utf8')).toBe(s.secret);
  });

  it('does nothing: a folder on the way that becomes a link between the approval and the call', async () => {
    const s = await openScene({ files: () => ({ 'a/secret.md': 'own', 'b/file.md': 'own' }) });
    const { FileCalls } = await import('../../src/agent/builtIn/fileCalls.js');
    const { PinnedFile } = await import('../../src/agent/builtIn/pinnedFile.js');
    const calls = new FileCalls({ folder: s.path(), isTrusted: true });
    const path = s.path('a/secret.md');
    (await calls.describe('read', { path }))?.pin?.('call');
    const file = new PinnedFile(calls.boundary, calls.pins.take('call'));
    expect(String(await file.read(path))).toBe('own');
    await rename(s.path('a'), s.path('c'));
    await symlink(s.outside, s.path('a'));
    await expect(file.read(path)).rejects.toThrow('leads elsewhere');
    await expect(file.write(path, 'written')).rejects.toThrow('leads elsewhere');
    await expect(file.list(path)).rejects.toThrow();
    expect(await readFile(s.secretPath, 'utf8')).toBe(s.secret);
    expect(() => calls.pins.take('call')).toThrow('not approved');
  });
});

describe('the shell', () => {
  const settings = (s: AgentScene) => ({
    shellCommandPrefix: `touch ${s.ran.path('prefix')}`,
    shellPath: s.path('shell'),
  });
  const shell = (s: AgentScene) => `#!/bin/sh\ntouch ${s.ran.path('shell')}\nexec /bin/sh "$@"\n`;

  async function runNothing(s: AgentScene) {
    await s.agent.panel.prompt('call bash {"command": ":"}');
    const { state } = await s.agent.untilAsked();
    s.agent.panel.decide(state.approvals[0]?.id ?? '', 'once');
    await s.agent.untilDone();
    return state.approvals[0]?.effect;
  }

  async function withShell() {
    const s = await openScene();
    await writeFile(s.path('shell'), shell(s));
    await chmod(s.path('shell'), 0o755);
    return s;
  }

  it('control: the shell and the prefix of the user are shown and run', async () => {
    const s = await withShell();
    await writeFile(join(s.agent.agentDir, 'settings.json'), JSON.stringify(settings(s)));
    expect(await runNothing(s)).toEqual({
      kind: 'command',
      text: `${s.path('shell')} -c\ntouch ${s.ran.path('prefix')}\n:`,
    });
    expect(await s.ran.sprung()).toEqual(['prefix', 'shell']);
  });

  it('does nothing: the shell and the prefix of a folder', async () => {
    const s = await withShell();
    await mkdir(s.path('.pi'));
    await writeFile(s.path('.pi/settings.json'), JSON.stringify(settings(s)));
    expect(await runNothing(s)).toEqual({ kind: 'command', text: '/bin/bash -c\n:' });
    expect(await s.ran.sprung()).toEqual([]);
  });

  it('covers one line with "for this session", and none that the user changed', async () => {
    const s = await openScene();
    const run = async (command: string, decision?: 'session', edited?: object) => {
      await s.agent.panel.prompt(call('bash', { command }));
      const { state } = await s.agent.until(
        'a question or the end',
        ({ state: { approvals, status } }) => status === 'ready' || approvals.length > 0,
      );
      const [approval] = state.approvals;
      if (approval) {
        s.agent.panel.decide(approval.id, decision ?? 'deny', edited && JSON.stringify(edited));
        await s.agent.untilDone();
      }
      return approval !== undefined;
    };
    expect(await run(':', 'session')).toBe(true);
    expect(await run(':')).toBe(false);
    expect(await run(`touch ${s.ran.path('other')}`)).toBe(true);
    expect(
      await run(`touch ${s.ran.path('other')}`, 'session', {
        command: `touch ${s.ran.path('own')}`,
      }),
    ).toBe(true);
    expect(await run(`touch ${s.ran.path('other')}`)).toBe(true);
    expect(await s.ran.sprung()).toEqual(['own']);
  });

  it('does nothing: settings that change while the user is asked', async () => {
    const s = await withShell();
    await s.agent.panel.prompt('call bash {"command": ":"}');
    const { state } = await s.agent.untilAsked();
    await writeFile(join(s.agent.agentDir, 'settings.json'), JSON.stringify(settings(s)));
    s.agent.panel.decide(state.approvals[0]?.id ?? '', 'once');
    await s.agent.untilDone();
    expect(await s.ran.sprung()).toEqual([]);
  });
});
