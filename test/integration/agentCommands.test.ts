/** Commands typed in the panel, with the real Pi: but for `/init`, none of them reaches the model. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PanelCommands } from '../../src/agent/panel/commands/panelCommands.js';
import { ValueEmitter } from '../../src/base/valueEmitter.js';
import { commandIds } from '../../src/contributions.js';
import type { McpTool } from '../../src/mcp/mcpTypes.js';
import {
  type AgentHarness,
  type AgentHarnessOptions,
  longTalk,
  smallSummaries,
} from '../helpers/fakes/agentHarness.js';
import { CallableServer } from '../helpers/fakes/fakeAgentMcp.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();

const echo: McpTool = { name: 'echo', inputSchema: { type: 'object' } };

function echoServer(): CallableServer {
  return new CallableServer('Echo Chamber', [echo], () => Promise.reject(new Error('not called')));
}

interface Opened extends AgentHarness {
  readonly run: (text: string, others?: readonly string[]) => ReturnType<PanelCommands['run']>;
  readonly commands: PanelCommands;
  /** What the editor was asked for. */
  readonly asked: unknown[];
}

async function open(options: AgentHarnessOptions = {}): Promise<Opened> {
  return await commandsOf(await harness(options));
}

/** @param choice label to take in a list; none leaves it. */
async function commandsOf(opened: AgentHarness, choice?: string): Promise<Opened> {
  const asked: unknown[] = [];
  const commands = new PanelCommands({
    get panel() {
      return opened.panel;
    },
    service: opened.service.asService,
    editor: {
      run: async (...call) => void asked.push(call),
      reviewExtensions: async (files) => {
        asked.push(files.map(({ path }) => path));
        return choice !== undefined;
      },
      logOut: async () => void asked.push(['logOut']),
    },
  });
  await opened.panel.ensureSession();
  return Object.assign(opened, {
    commands,
    asked,
    run: (text: string, others: readonly string[] = []) => commands.run(text, others),
  });
}

async function addModel({ agentDir, demo }: AgentHarness): Promise<void> {
  const path = join(agentDir, 'models.json');
  const models = [
    { id: 'plain', name: 'Plain', reasoning: false },
    { id: 'thinker', name: 'Thinker', reasoning: true },
    { id: 'thinker-small', name: 'Small Thinker', reasoning: true },
  ].map((model) => ({ ...model, input: ['text'], contextWindow: 128_000, maxTokens: 8_192 }));
  const provider = {
    name: 'Lab',
    baseUrl: demo.url,
    api: 'openai-completions',
    apiKey: 'x',
    models,
  };
  await writeFile(path, JSON.stringify({ providers: { lab: provider } }));
}

it('takes paths, comments, patterns and prompts of servers for text', async () => {
  const { run } = await open();
  for (const text of [
    '/usr/bin',
    '/usr/bin/env is what?',
    '// why',
    '/* why */',
    '/',
    '/ new',
    '/2',
  ]) {
    expect(await run(text)).toEqual({ kind: 'text' });
  }
  expect(await run('/shop:new order=1', ['/shop:new'])).toEqual({ kind: 'text' });
});

it('starts a new conversation, and asks the model nothing', async () => {
  const { panel, run, say, demo } = await open();
  await say('hello');
  const before = demo.requests.length;
  expect(await run('/new')).toEqual({ kind: 'done' });
  expect(panel.snapshot().transcript).toEqual([]);
  expect(await panel.library.list()).toHaveLength(1);
  expect(demo.requests).toHaveLength(before);
});

it('refuses what it does not know, names the near ones and offers to send it', async () => {
  const { run } = await open();
  expect(await run('/modle thinker')).toEqual({
    kind: 'refused',
    text: 'Pi does not know "/modle".',
    near: ['/model', '/mode'],
    mayBeText: true,
  });
  expect(await run('/new idea: a game')).toMatchObject({ kind: 'refused', mayBeText: true });
  expect(await run('/mcp recnonect x')).toEqual({
    kind: 'refused',
    text: '/mcp does not know "recnonect".',
    near: ['/mcp reconnect'],
    mayBeText: false,
  });
  expect(await run('/shop:nwe', ['/shop:new'])).toMatchObject({ near: ['/shop:new'] });
});

it('summarizes with a focus, says how many tokens were saved, and shows it again later', async () => {
  const opened = await harness();
  await opened.writeSettings(smallSummaries);
  const { run } = await commandsOf(opened);
  await opened.say(...longTalk);
  expect(await run('/compact the hero')).toEqual({ kind: 'done' });
  const { transcript } = await opened.until('a summary', (snapshot) =>
    snapshot.transcript.some(({ kind }) => kind === 'compaction'),
  );
  const entry = transcript.find(({ kind }) => kind === 'compaction');
  expect(entry).toMatchObject({
    tokensBefore: expect.any(Number),
    tokensAfter: expect.any(Number),
    summary: expect.any(String),
  });
  expect(JSON.stringify(opened.demo.requests)).toContain('the hero');
  const again = await opened.reload();
  expect(again.transcript).toContainEqual(entry);
});

it('says in a sentence that a short conversation needs no summary', async () => {
  const { run, say, until } = await open();
  await say('hello');
  expect(await run('/compact')).toEqual({ kind: 'done' });
  const { transcript } = await until('the sentence', ({ transcript }) =>
    transcript.some((entry) => entry.kind === 'notice' && entry.text.includes('too short')),
  );
  expect(transcript.filter((entry) => entry.kind === 'notice')).toHaveLength(1);
  expect(transcript.at(-1)).toMatchObject({ level: 'info' });
});

it('makes a summary wait for the run', async () => {
  const { panel, run, until } = await open();
  await panel.prompt('Tell me a long story');
  await until('a run', ({ state }) => state.status === 'running');
  expect(await run('/compact')).toMatchObject({ kind: 'refused', mayBeText: false });
  expect(await run('/help')).toMatchObject({ kind: 'done' });
  await panel.stop();
});

it('chooses models by name, asks where several fit, and thinks as the model can', async () => {
  const opened = await open({ hasModel: false });
  const { run, panel, asked, remembered } = opened;
  expect(await run('/model any')).toMatchObject({ kind: 'refused', near: [] });
  await addModel(opened);
  await panel.reloadModels();
  expect(await run('/model Plain')).toEqual({ kind: 'done' });
  expect(panel.snapshot().state.model?.id).toBe('plain');
  expect(await run('/thinking high')).toMatchObject({
    kind: 'refused',
    text: 'This model does not think before it answers.',
  });
  expect(await run('/model think')).toEqual({ kind: 'done' });
  expect(asked).toEqual([['piMcp.chooseModel', 'think']]);
  expect(remembered()).toEqual({ provider: 'lab', id: 'plain' });
  expect(await run('/model lab/thinker-small')).toEqual({ kind: 'done' });
  expect(await run('/thinking High')).toMatchObject({ answer: { rows: [{ text: 'High' }] } });
  expect(panel.shown?.controls.thinkingLevel).toBe('high');
  const refused = await run('/thinking enormously');
  expect(refused).toMatchObject({
    kind: 'refused',
    near: expect.arrayContaining(['/thinking low']),
  });
  expect(await run('/thinking')).toEqual({ kind: 'done' });
  expect(asked.at(-1)).toEqual(['piMcp.chooseThinking']);
});

it('says what a level becomes that the model does not know, and keeps one for each model', async () => {
  const opened = await open({ hasModel: false });
  await addModel(opened);
  const { run, panel } = opened;
  await panel.reloadModels();
  const shown = () => panel.snapshot().state.thinking?.text;
  await panel.selectModel('lab', 'plain');
  expect(shown()).toBeUndefined();
  await panel.selectModel('lab', 'thinker-small');
  expect(await run('/thinking max')).toMatchObject({
    answer: { rows: [{ text: 'Maximum → High' }] },
  });
  expect(shown()).toBe('Maximum → High');
  await panel.selectModel('lab', 'thinker');
  expect(await run('/thinking low')).toMatchObject({ answer: { rows: [{ text: 'Low' }] } });
  await panel.selectModel('lab', 'thinker-small');
  expect(shown()).toBe('Maximum → High');
  await panel.selectModel('lab', 'thinker');
  await panel.newSession();
  expect(shown()).toBe('Low');
});

it('says of each model where it is from, what it can, and what it costs', async () => {
  const opened = await open();
  const choice = (id: string) => opened.panel.models.find((one) => one.id === id);
  expect(choice('demo-1')).toEqual({
    provider: 'demo',
    id: 'demo-1',
    label: 'Demo (offline)',
    source: 'Demo',
    context: '128K',
    abilities: ['images'],
    price: 'runs on this machine',
  });
  await addModel(opened);
  await opened.panel.reloadModels();
  expect(choice('thinker')).toMatchObject({ source: 'Lab', abilities: ['thinking'] });
  // a proxy on this machine that bills, and a window of two to the fifteenth
  const path = join(opened.agentDir, 'models.json');
  const priced = { cost: { input: 3, output: 15, cacheRead: 0, cacheWrite: 0 } };
  const { providers } = JSON.parse(await readFile(path, 'utf8'));
  providers.lab.models.push({
    ...providers.lab.models[0],
    ...priced,
    id: 'p',
    contextWindow: 32_768,
  });
  await writeFile(path, JSON.stringify({ providers }));
  await opened.panel.reloadModels();
  expect(choice('p')).toMatchObject({
    context: '32K',
    price: '$3 in, $15 out per million tokens',
  });
});

it('lists tools, and servers with what to do about them', async () => {
  const { run } = await open({ servers: () => [echoServer()] });
  const tools = await run('/tools list');
  expect(tools).toMatchObject({
    answer: { rows: [{ name: 'Built in' }, { name: 'Echo Chamber', text: '1 tool: echo' }] },
  });
  expect(await run('/mcp tools')).toEqual({
    kind: 'done',
    answer: {
      title: 'Tools',
      rows: [{ name: 'Echo Chamber', text: '1 tool: echo' }],
      notes: [],
    },
  });
  expect(await run('/mcp')).toMatchObject({
    answer: { rows: [{ name: 'Echo Chamber', text: 'Not running, 1 tool' }] },
  });
  expect(await run('/mcp status echo chamber')).toMatchObject({
    answer: { rows: [{ text: expect.stringContaining('not running') }] },
  });
});

it.each([
  ['Pi extension, loaded.', 'agrees'],
  ['Pi extension, not loaded.', undefined],
])('says that an extension of the folder %s, as the user decided', async (said, choice) => {
  const opened = await harness({ extensions: { isOn: new ValueEmitter(true) } });
  const path = opened.path('.pi/extensions/a.ts');
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, 'export default () => {}');
  const { run, asked, panel } = await commandsOf(opened, choice);
  const answer = { rows: [{ name: '.pi/extensions/a.ts', text: said }] };
  expect(await run('/extensions')).toMatchObject({ answer });
  expect(asked).toEqual([['.pi/extensions/a.ts']]);
  await opened.until('what was decided', () => {
    const isLoaded = panel.shown?.controls.extensions.folder?.isLoaded;
    return isLoaded === (choice !== undefined);
  });
});

it('knows what an extension brings as soon as the user has agreed to it', async () => {
  const opened = await harness({ extensions: { isOn: new ValueEmitter(true) } });
  const path = opened.path('.pi/extensions/a.ts');
  await mkdir(join(path, '..'), { recursive: true });
  const source = "export default (pi) => pi.registerCommand('greet', { handler: async () => {} });";
  await writeFile(path, source);
  const { run } = await commandsOf(opened, 'agrees');
  await run('/extensions');
  const [listed, greeted] = await Promise.all([run('/tools list'), run('/greet')]);
  expect(JSON.stringify(listed)).toContain('Commands: /greet.');
  expect(greeted).toEqual({ kind: 'text' });
});

it('says which extensions of the user are there and which are not, and why', async () => {
  const opened = await harness({ extensions: { isOn: new ValueEmitter(true) } });
  const files = {
    'dice.ts': "export default (pi) => pi.registerShortcut('ctrl+j', { handler: () => {} });",
    'broken.ts': 'export default function ( {',
  };
  await mkdir(join(opened.agentDir, 'extensions'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(opened.agentDir, 'extensions', name), text);
  }
  const { run } = await commandsOf(opened);
  const listed = JSON.stringify(await run('/tools list'));
  expect(listed).toContain('extensions/dice.ts');
  expect(listed).toContain("work in Pi's terminal alone.");
  expect(listed).toContain('extensions/broken.ts could not be loaded');
});

it('hands work on servers to the commands of the extension, by the name that was typed', async () => {
  const server = echoServer();
  const { run, asked } = await open({ servers: () => [server] });
  const words = { reconnect: 'restartServer', on: 'enableServer', off: 'disableServer' } as const;
  for (const [word, command] of Object.entries(words)) {
    expect(await run(`/mcp ${word} Echo Chamber`)).toMatchObject({ kind: 'done' });
    expect(asked.pop()).toEqual([commandIds[command as 'restartServer'], server.id]);
  }
  expect(await run('/mcp restart')).toEqual({ kind: 'done' });
  expect(asked.pop()).toEqual([commandIds.restartServer, undefined]);
  expect(await run('/mcp auth Ecko Chamber')).toEqual({
    kind: 'refused',
    text: '/mcp does not know "Ecko Chamber".',
    near: ['/mcp auth Echo Chamber'],
    mayBeText: false,
  });
  expect(await run('/rename')).toEqual({ kind: 'done' });
  expect(asked.pop()).toEqual([commandIds.renameConversation]);
  expect(await run('/export jsonl')).toEqual({ kind: 'done' });
  expect(asked.pop()).toEqual([commandIds.exportConversation, 'jsonl']);
  expect(await run('/export pdf')).toMatchObject({
    kind: 'refused',
    near: ['/export markdown', '/export json', '/export jsonl'],
  });
  expect(await run('/login')).toEqual({ kind: 'done' });
  expect(asked.pop()).toEqual([commandIds.logIn]);
});

it('renames the conversation, and writes it for Pi', async () => {
  const { run, panel, root, say, demo } = await open();
  await say('hello');
  expect(await run('/rename  A better   name ')).toEqual({ kind: 'done' });
  expect(panel.snapshot().state.title).toBe('A better name');
  const path = join(root, 'copy.jsonl');
  panel.shown?.controls.exportTo(path);
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'session' });
  expect(lines.some((line) => line.includes('"hello"'))).toBe(true);
  expect(demo.requests).toHaveLength(1);
});

it('shows what fills the context, and takes a second word for the first', async () => {
  const { run, asked } = await open();
  expect(await run('/context')).toEqual({ kind: 'done', opens: 'context' });
  expect(await run('/cost')).toEqual({ kind: 'done', opens: 'context' });
  expect(await run('/review')).toMatchObject({ kind: 'done' });
  expect(asked).toEqual([['piMcp.reviewChanges']]);
});

it('offers what can be typed next, Pi’s own skills and templates included, and sends those', async () => {
  const opened = await harness({ servers: () => [echoServer()] });
  const files = {
    'prompts/review.md': '---\ndescription: Reviews a file\nargument-hint: <file>\n---\nReview $1',
    'skills/gift/SKILL.md': '---\nname: gift\ndescription: A gift\n---\nGive.',
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(opened.agentDir, path, '..'), { recursive: true });
    await writeFile(join(opened.agentDir, path), text);
  }
  const { commands, run } = await commandsOf(opened);
  expect(commands.views).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ command: '/new' }),
      expect.objectContaining({ command: '/mcp reconnect', parent: '/mcp' }),
      {
        command: '/mcp reconnect Echo Chamber',
        description: 'Not running',
        arguments: [],
        parent: '/mcp reconnect',
      },
      expect.objectContaining({ command: '/model demo/demo-1', parent: '/model' }),
      { command: '/review', description: 'Reviews a file', arguments: ['<file>'] },
      expect.objectContaining({ command: '/skill:gift', description: 'A gift' }),
    ]),
  );
  expect(await run('/review a.ts')).toEqual({ kind: 'text' });
  expect(await run('/skill:gift')).toEqual({ kind: 'text' });
  expect(await run('/revuew a.ts')).toMatchObject({ near: ['/review'] });
});

it('asks the model to write down what an agent should know of the folder', async () => {
  const h = await open();
  expect(await h.run('/init')).toEqual({ kind: 'done' });
  // the scripted model takes it at its word, and would write
  const { transcript } = await h.untilAsked();
  expect(transcript[0]).toMatchObject({ kind: 'user', text: expect.stringContaining('AGENTS.md') });
  expect(JSON.stringify(h.demo.requests.at(-1)?.messages)).toContain('write AGENTS.md at its root');
});
