/** Conversations that Pi in a terminal and the view share: its own SessionManager writes them in another process. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { ConversationKeeper } from '../../src/agent/conversations/places.js';
import { NodeFileWatcher } from '../../src/platform/nodeFileWatcher.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';
import { repository } from '../workbench/paths.mjs';

const harness = useAgentHarness();
const run = promisify(execFile);
const script = join(repository, 'test/helpers/piTerminal.mjs');

const shared = () => harness({ keeper: () => 'pi' });

const folderOf = (h: AgentHarness) => h.folders[0]?.fsPath ?? '';

const environmentOf = (h: AgentHarness, more: NodeJS.ProcessEnv = {}) => ({
  PATH: process.env.PATH,
  PI_CODING_AGENT_DIR: h.agentDir,
  ...more,
});

/** Pi in a terminal of the folder. @returns what it tells */
async function terminal(h: AgentHarness, args: readonly string[], cwd = folderOf(h)) {
  const { stdout } = await run(process.execPath, [script, ...args], { cwd, env: environmentOf(h) });
  return JSON.parse(stdout);
}

/** Pi in a terminal that has a conversation open. */
async function openInTerminal(h: AgentHarness, file: string, ...texts: readonly string[]) {
  const child = spawn(process.execPath, [script, 'talk', file, ...texts], {
    cwd: folderOf(h),
    env: environmentOf(h),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return {
    /** The next one of the texts. */
    say: async () => {
      child.stdin.write('\n');
      await once(child.stdout, 'data');
    },
    end: () => child.kill(),
  };
}

/** What the view shows, without notices. */
const shown = (h: AgentHarness) =>
  h.panel
    .snapshot()
    .transcript.flatMap((entry) =>
      entry.kind === 'user' || entry.kind === 'assistant' ? [entry.text] : [],
    );
const notices = (h: AgentHarness) =>
  h.panel.snapshot().transcript.flatMap((entry) => (entry.kind === 'notice' ? [entry.text] : []));

const titles = async (h: AgentHarness) =>
  (await h.panel.library.list()).map(({ title }) => title).sort();

/** Of the shown conversation. */
async function shownFile(h: AgentHarness): Promise<string> {
  const listed = await terminal(h, ['list']);
  const { conversation } = h.panel.snapshot();
  return listed
    .map(({ path }: { path: string }) => path)
    .find((path: string) => path.endsWith(conversation));
}

it('begins conversations where the terminal looks, and lists those of the terminal', async () => {
  const h = await shared();
  await h.say('hello from the view');
  expect(await terminal(h, ['list'])).toMatchObject([{ firstMessage: 'hello from the view' }]);
  await terminal(h, ['begin', 'hello from the terminal']);
  expect(await titles(h)).toEqual(['hello from the terminal', 'hello from the view']);
  const found = (await h.panel.library.list()).find(({ title }) => title.endsWith('terminal'));
  await h.panel.library.open(found?.id ?? '');
  expect(shown(h)).toEqual([
    'hello from the terminal',
    'The terminal heard: hello from the terminal',
  ]);
  await h.say('and from the view');
  expect(h.demo.requests.at(-1)?.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
});

it.each(['the variable', 'the setting'])('follows %s that says where', async (how) => {
  const isVariable = how === 'the variable';
  const variable = { PI_CODING_AGENT_SESSION_DIR: '../elsewhere' };
  const h = await harness({ keeper: () => 'pi', ...(isVariable && { env: variable }) });
  const place = join(h.root, 'elsewhere');
  const begin = (text: string, cwd: string) =>
    run(process.execPath, [script, 'begin', text], {
      cwd,
      env: environmentOf(h, { PI_CODING_AGENT_SESSION_DIR: place }),
    });
  if (!isVariable) {
    await h.writeSettings({ sessionDir: place });
  }
  await begin('hello from here', folderOf(h));
  // the place has conversations of all folders
  await begin('hello from another folder', h.root);
  expect(await titles(h)).toEqual(['hello from here']);
  await h.say('hello from the view');
  expect(await readdir(place)).toContain(h.panel.snapshot().conversation);
});

it('finds the same ones in a folder that is reached through a link', async () => {
  const h = await shared();
  const [folder] = h.folders;
  const link = join(h.root, 'link');
  await symlink(folderOf(h), link);
  h.workspace.setFolders(folder ? [{ ...folder, fsPath: link }] : []);
  await terminal(h, ['begin', 'hello'], link);
  expect(await titles(h)).toEqual(['hello']);
});

it('lists what was begun before the setting was changed, and goes on there', async () => {
  let keeper: ConversationKeeper = 'own';
  const h = await harness({ keeper: () => keeper });
  await h.say('hello at first');
  const { conversation } = h.panel.snapshot();
  keeper = 'pi';
  expect((await h.reload()).conversation).toBe(conversation);
  await h.panel.newSession();
  await h.say('hello again');
  expect(await titles(h)).toEqual(['hello again', 'hello at first']);
  expect(await terminal(h, ['list'])).toMatchObject([{ firstMessage: 'hello again' }]);
  await h.panel.library.open(conversation);
  await h.say('and on');
  expect(shown(h)[0]).toBe('hello at first');
});

it('deletes none of the terminal for its age or number', async () => {
  const h = await shared();
  for (const number of [1, 2, 3]) {
    await terminal(h, ['begin', `hello ${number}`]);
  }
  h.limits.maxCount = 1;
  await h.panel.ensureSession();
  await h.panel.newSession();
  await h.say('hello from the view');
  await h.panel.newSession();
  expect(await titles(h)).toHaveLength(4);
});

it('takes up what the terminal said before it sends the next message', async () => {
  const h = await shared();
  await h.say('first');
  const file = await shownFile(h);
  await terminal(h, ['say', file, 'second']);
  await h.say('third');
  expect(shown(h).filter((text) => ['first', 'second', 'third'].includes(text))).toEqual([
    'first',
    'second',
    'third',
  ]);
  expect(notices(h)).toEqual([expect.stringContaining('another program')]);
  const users = h.demo.requests.at(-1)?.messages.filter(({ role }) => role === 'user');
  expect(users).toHaveLength(3);
  // one owner, one line: the terminal goes on behind it
  await terminal(h, ['say', file, 'fourth']);
  expect((await h.reload()).transcript.at(-1)).toMatchObject({
    text: 'The terminal heard: fourth',
  });
});

it('shows what the terminal says while the conversation is open here', async () => {
  const h = await harness({ keeper: () => 'pi', watcher: new NodeFileWatcher({ pollMs: 100 }) });
  await h.say('first');
  await terminal(h, ['say', await shownFile(h), 'second']);
  await h.until('what the terminal said', () => shown(h).includes('The terminal heard: second'));
  // its own writing is none of another program
  await h.say('third');
  expect(notices(h)).toHaveLength(1);
});

it('becomes a copy when both go on at the same time, and loses nothing of either', async () => {
  const h = await shared();
  await h.say('first');
  const file = await shownFile(h);
  const pi = await openInTerminal(h, file, 'there one', 'there two');
  try {
    await h.say('here one');
    await pi.say();
    await h.say('here two');
    expect(await shownFile(h)).not.toBe(file);
    expect(notices(h)).toEqual([expect.stringContaining('copy')]);
    await pi.say();
    await h.say('here three');
    // from here on each has its own
    expect(notices(h)).toHaveLength(1);
    const said = shown(h).filter((text) => /^(first|here|there)/.test(text));
    expect(said).toEqual(['first', 'here one', 'here two', 'here three']);
    const theirs = await readFile(file, 'utf8');
    for (const text of ['first', 'here one', 'there one', 'there two']) {
      expect(theirs).toContain(`"${text}"`);
    }
    await h.reload();
    expect(shown(h).filter((text) => text.startsWith('here'))).toHaveLength(3);
    await h.panel.library.open(file.split('/').at(-1) ?? '');
    expect(shown(h).filter((text) => /^(first|here|there)/.test(text))).toEqual([
      'first',
      'there one',
      'there two',
    ]);
  } finally {
    pi.end();
  }
});

it('begins anew, and says so, when another program has broken the file', async () => {
  const h = await harness({ keeper: () => 'pi', watcher: new NodeFileWatcher({ pollMs: 100 }) });
  await h.say('first');
  const file = await shownFile(h);
  const broken = [
    '{"type":"other","id":"no conversation"}',
    '{"type":"message","id":"x","message":{"role":"assistant","stopReason":"stop"}}',
  ];
  await writeFile(file, `${broken.join('\n')}\n`);
  await h.until('a new one', () => notices(h).some((text) => text.includes('could not be read')));
  expect(await readFile(file, 'utf8')).toBe(`${broken.join('\n')}\n`);
  await h.say('hello again');
});

it('keeps what another program put into a file that was replaced during a run', async () => {
  const h = await shared();
  await h.say('first');
  const file = await shownFile(h);
  await h.panel.prompt('Tell me a long story');
  await h.until('a run', ({ state }) => state.status === 'running');
  // as a program does that syncs files
  const other = `${file}.synced`;
  await writeFile(other, await readFile(file, 'utf8'));
  await terminal(h, ['say', other, 'said elsewhere']);
  await rename(other, file);
  await h.untilDone();
  const text = await readFile(file, 'utf8');
  expect(text).toContain('said elsewhere');
  expect(text).toContain('Tell me a long story');
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type)[0],
  ).toBe('session');
});

it('never takes its own writing for that of another program', async () => {
  const h = await shared();
  h.defaultMode.set('runFreely');
  await h.say('first');
  await h.say('list files');
  await h.say('write a.txt hello');
  await h.panel.library.rename(h.panel.snapshot().conversation, 'Named');
  await h.panel.prompt('Tell me a long story');
  await h.until('a run', ({ state }) => state.status === 'running');
  await h.panel.stop();
  await h.say('fail with 400');
  const { conversation } = h.panel.snapshot();
  await h.panel.newSession();
  await h.panel.library.open(conversation);
  await h.say('last');
  expect(h.panel.snapshot().conversation).toBe(conversation);
  expect(notices(h).filter((text) => text.includes('program'))).toEqual([]);
});

it('watches no file of a folder that left the workspace', async () => {
  const watched = new Set<string>();
  const watcher = {
    watch: (path: string) => {
      watched.add(path);
      return { dispose: () => watched.delete(path) };
    },
  };
  const h = await harness({ keeper: () => 'pi', watcher, folderNames: ['app', 'lib'] });
  await h.say('first');
  expect([...watched].filter((path) => path.includes('app'))).toHaveLength(1);
  h.workspace.setFolders(h.folders.slice(1));
  await h.until('the other folder', ({ state }) => state.folder?.name === 'lib');
  expect([...watched].filter((path) => path.includes('app'))).toEqual([]);
});
