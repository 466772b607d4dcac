/** Has the present code store everything that a version stores, in the way that a user makes it do so. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ToolFeatures } from '../../../src/agent/policy/toolFeatures.js';
import { ValueEmitter } from '../../../src/base/valueEmitter.js';
import { FileSecrets } from '../../../src/cli/account/fileSecrets.js';
import { ProfileStore } from '../../../src/cli/tools/profileStore.js';
import { globalPoolId, type WorkspaceFolder } from '../../../src/config/definition.js';
import { InputStore } from '../../../src/config/inputs/inputStore.js';
import { entryFields } from '../../../src/config/schema/fields.js';
import { settingFields } from '../../../src/config/schema/settings.js';
import { pinTool } from '../../../src/mcp/catalog/toolKey.js';
import { loadEngine } from '../../../src/mcp/connection/engineSelection.js';
import type { McpService } from '../../../src/mcp/mcpApi.js';
import { ClientChoices } from '../../../src/mcp/otherClients/clientChoices.js';
import { exportRecording } from '../../../src/mcp/traffic/recordingFile.js';
import { NodeFileWatcher } from '../../../src/platform/nodeFileWatcher.js';
import { nullLogger } from '../../../src/platform/ports.js';
import { RunHistory } from '../../../src/presentation/runTool/runHistory.js';
import type { KeptRow } from '../../../src/presentation/tree/keptRows.js';
import { startAuthServer } from '../../fixtures/servers/authServer.mjs';
import { OpenSecrets } from '../../fixtures/signIn.js';
import { startDemoModel } from '../../workbench/demo/demoModel.mjs';
import { repository } from '../../workbench/paths.mjs';
import { BrowserUser } from '../accounts/browser.js';
import { CoreHarness, find } from '../coreHarness.js';
import { createAgentHarness } from '../fakes/agentHarness.js';
import { FakeKept } from '../fakes/fakeKept.js';
import { names, pack } from './storedFiles.js';

/** The launch names `node` alone, as it would on any machine. */
export const onlyNode = { PATH: dirname(process.execPath) };
/** What the server says of itself. */
export const lists = {
  tools: [
    {
      name: 'shout',
      description: 'Says it loudly.',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    },
  ],
};
/** For `scripted.mjs`. */
const scriptOf = (listed: object) => ({
  results: {
    'tools/list': listed,
    'tools/call shout': { content: [{ type: 'text', text: 'HELLO' }] },
  },
});
/** What was asked, in order. */
export const requests = {
  write: 'call write {"path":"made.txt","content":"one\\n"}',
  change: 'call write {"path":"made.txt","content":"two\\n"}',
};
export const runTool = (serverId: string) => ({
  serverId,
  tool: 'shout',
  schema: lists.tools[0]?.inputSchema ?? {},
});

/** In texts by path; see {@link pack}. */
export async function captureStored(): Promise<Readonly<Record<string, string>>> {
  const cores = await CoreHarness.create();
  cores.variables = onlyNode;
  const issuer = await startAuthServer();
  try {
    await captureServers(cores, issuer.url);
    await captureConversations(cores.root);
    await cores.closeAll();
    // a cache, which counts for a week
    await rm(join(cores.storageDir, 'catalogs'), { recursive: true });
    await write(cores, 'names.json', {
      settings: Object.keys(await contributed()).sort(),
      fields: entryFields.fields.map(({ name }) => name),
      blockSettings: settingFields.fields.map(({ name }) => name),
    });
    return await pack({ root: cores.root, origin: new URL(issuer.url).origin });
  } finally {
    await cores.dispose();
    await issuer.close();
  }
}

async function contributed(): Promise<object> {
  const manifest = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  return manifest.contributes.configuration.properties;
}

const write = ({ root }: CoreHarness, path: string, value: unknown) =>
  writeFile(join(root, path), `${JSON.stringify(value, undefined, 1)}\n`);

async function captureServers(cores: CoreHarness, url: string): Promise<void> {
  const { root } = cores;
  const app = await addRepository(cores);
  const whole = await cores.addFolder(names.wholeFolder, {});
  await addOrigin(whole);
  await cores.writeGlobal({ [names.account]: { url } });
  const secrets = new OpenSecrets();
  const core = cores.open(loadEngine, {
    secrets,
    authorizationPrompt: () => new BrowserUser().prompt(),
  });
  await core.whenStarted();
  await core.trust.trustServers(app.uri, await core.trust.pendingConsent(app.uri));
  await core.trust.trustFolder(whole.uri);
  const server = find(core, names.server);
  await server.ensureConnected();
  await core.accounts.signIn(find(core, names.account).id);
  await new InputStore(secrets).set(
    { poolId: globalPoolId, inputId: 'token' },
    'a value that was entered',
  );
  const commandLine = join(root, 'commandLine');
  const accounts = new FileSecrets(commandLine);
  for (const [key, value] of secrets.values) {
    await accounts.store(key, value);
  }
  await captureDecisions(cores, core, app);
  await server.callTool('shout', { text: 'hello' });
  await writeFile(
    join(root, 'recording.jsonl'),
    await exportRecording(names.server, core.traffic.of(server.id), Date.now()),
  );
  await write(cores, 'secrets.json', Object.fromEntries(secrets.values));
}

async function addRepository(cores: CoreHarness): Promise<WorkspaceFolder> {
  const launch = { command: 'node', args: ['server.mjs', 'script.json', 'record.jsonl'] };
  const folder = await cores.addFolder(names.folder, { [names.server]: launch });
  await addOrigin(folder);
  const directory = folder.fsPath ?? '';
  await writeFile(join(directory, 'script.json'), JSON.stringify(scriptOf(lists)));
  const program = join(repository, 'test/fixtures/servers/scripted.mjs');
  await writeFile(join(directory, 'server.mjs'), await readFile(program, 'utf8'));
  return folder;
}

/** By which the folder is the same wherever it lies. */
async function addOrigin({ name, fsPath = '' }: WorkspaceFolder): Promise<void> {
  await mkdir(join(fsPath, '.git'));
  const config = `[remote "origin"]\n\turl = https://example.com/someone/${name}.git\n`;
  await writeFile(join(fsPath, '.git/config'), config);
}

/** What the user decides about tools, in the storage of the cores. */
export async function openFeatures(
  { storageDir, environment }: CoreHarness,
  service: McpService,
): Promise<ToolFeatures> {
  const features = new ToolFeatures({
    directory: storageDir,
    watcher: new NodeFileWatcher(),
    logger: nullLogger,
    service,
    environment,
    profiles: new ValueEmitter<unknown>({}),
    profileMemory: new FakeKept(),
  });
  await features.start();
  return features;
}

async function captureDecisions(
  cores: CoreHarness,
  core: McpService,
  { uri: folderUri }: WorkspaceFolder,
): Promise<void> {
  const { definition } = find(core, names.server);
  const [tool] = find(core, names.server).catalog.value.tools;
  if (!tool) {
    throw new Error('The server has no tool');
  }
  const memento = new Map<string, unknown>();
  const features = await openFeatures(cores, core);
  const place = { folderUri, server: names.server, tool: tool.name };
  await features.approvals.allow({ ...place, scope: 'folder' }, pinTool(tool), 'a launch');
  await features.commands.allow(folderUri, { words: ['git', 'status'], isPrefix: true });
  await features.commands.allow(undefined, { words: ['ls'], isPrefix: false });
  await features.switches.set(place, 'off');
  await features.appConsents.allow(definition, folderUri, ['connect https://example.com']);
  features.uses.mark(ruleIds(features)[0] ?? '');
  await features.statistics.keepIn({
    path: join(cores.root, 'statistics.json'),
    flushDelayMs: 0,
  });
  features.statistics.record({ ...place, durationMs: 12, bytes: 40, tokens: 10 });
  await features.statistics.flush();
  const profile = { [folderUri]: { source: 'user', name: 'reading' } } as const;
  const store = await ProfileStore.open(join(cores.root, 'commandLine'));
  await store.remember(profile);
  const keptChoices = new FakeKept();
  const choices = new ClientChoices({ choices: keptChoices, asked: new FakeKept() });
  await choices.choose(definition, 'both');
  const keptRuns = new FakeKept();
  const runs = new RunHistory(keptRuns);
  const at = new Date().toISOString();
  await runs.add(runTool(definition.id), { at, end: 'done', ms: 12 }, { text: 'hello' });
  memento.set('clientChoices', keptChoices.value);
  memento.set('piMcp.toolRuns', keptRuns.value);
  memento.set('chosenProfiles', profile);
  memento.set('serverRows', [keptRow]);
  await write(cores, 'memento.json', Object.fromEntries(memento));
  store.dispose();
  features.dispose();
}

const keptRow: KeptRow = {
  kind: 'kept',
  id: 'a row',
  label: names.server,
  icon: 'circle-outline',
  expansion: 'none',
  rows: [],
};

export const ruleIds = (features: ToolFeatures) => features.commands.rules.map(({ id }) => id);

async function captureConversations(root: string): Promise<void> {
  const demo = await startDemoModel();
  const h = await createAgentHarness({ place: { root, modelUrl: demo.url } });
  try {
    h.defaultMode.set('runFreely');
    for (const text of Object.values(requests)) {
      await h.panel.prompt(text);
      await h.untilDone();
    }
    await h.panel.library.rename(h.panel.snapshot().conversation, 'Made and changed');
    await h.panel.newSession();
    await h.panel.prompt('hello');
    await h.untilDone();
    const deleted = h.panel.snapshot().conversation;
    await h.panel.newSession();
    await h.panel.library.delete(deleted);
    await h.panel.setMode('plan');
    await h.panel.prompt('Tell me a long story');
    await h.until('an answer that streams', ({ transcript }) =>
      transcript.some((entry) => entry.kind === 'assistant' && entry.isStreaming),
    );
    await h.panel.prompt('hello after all', 'after');
    await h.panel.keepDraft(h.panel.snapshot().conversation, { text: 'a draft', writtenAt: 1 });
    await h.panel.stop();
  } finally {
    await h.dispose();
    await demo.close();
  }
}
