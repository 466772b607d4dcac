import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApprovalStore } from '../../../../src/agent/policy/approvalStore.js';
import { Approvals } from '../../../../src/agent/policy/approvals.js';
import { defaultToolPolicy } from '../../../../src/agent/policy/toolPolicy.js';
import { ToolBridge } from '../../../../src/agent/tools/toolBridge.js';
import { ToolIdentities } from '../../../../src/agent/tools/toolIdentities.js';
import { DisposableStore } from '../../../../src/base/disposable.js';
import { ValueEmitter } from '../../../../src/base/valueEmitter.js';
import type { McpServerLaunch, WorkspaceFolder } from '../../../../src/config/definition.js';
import type { McpTool } from '../../../../src/mcp/mcpTypes.js';
import { nullLogger } from '../../../../src/platform/ports.js';
import type { AgentMode } from '../../../../src/protocol/tools/modes.js';
import { CallableServer, FakeMcpService } from '../../../helpers/fakes/fakeAgentMcp.js';
import { fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

const app: WorkspaceFolder = { uri: 'file:///app', name: 'app', fsPath: '/app' };
const other: WorkspaceFolder = { uri: 'file:///other', name: 'other', fsPath: '/other' };
const read: McpTool = {
  name: 'read',
  description: 'Reads a file',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
};

/** Of the window. */
let folders: readonly WorkspaceFolder[];
let opened: DisposableStore;
let store: ApprovalStore;
beforeEach(() => {
  folders = [app];
  opened = new DisposableStore();
  store = opened.add(
    new ApprovalStore({
      directory: undefined,
      watcher: { watch: () => ({ dispose: () => undefined }) },
      logger: nullLogger,
    }),
  );
});
afterEach(() => opened.dispose());

function session(folder: WorkspaceFolder, serverFolder?: WorkspaceFolder, rule?: unknown) {
  const server = new CallableServer(
    'files',
    [read],
    () => Promise.reject(new Error('not called')),
    serverFolder,
  );
  const bridge = opened.add(
    new ToolBridge({
      service: new FakeMcpService([server]).asService,
      folderUri: folder.uri,
      countTokens: () => 1,
      policy: defaultToolPolicy,
    }),
  );
  const identities = new ToolIdentities({
    bridge,
    store,
    folderUri: folder.uri,
    folders: () => folders,
    rule: () => rule,
    onError: (error) => {
      throw error;
    },
  });
  const approvals = opened.add(
    new Approvals({
      identify: (name, args) => identities.identify(name, args),
      runsWithoutAsking: () => false,
      mode: new ValueEmitter<AgentMode>('ask'),
    }),
  );
  return {
    approvals,
    ask() {
      void approvals.check({ toolCallId: 'c', tool: 'files__read', args: {} }, undefined);
      return approvals.open.at(-1);
    },
    relaunch: (args: readonly string[]) => {
      const launch = { ...fakeDefinition('files').launch, args } as McpServerLaunch;
      Object.assign(server, { definition: { ...server.definition, launch } });
    },
    change: async (change: Partial<McpTool>) => {
      server.catalog.set({ ...server.catalog.value, tools: [{ ...read, ...change }] });
      await Promise.resolve();
    },
  };
}

it('remembers "always in this folder" for later conversations of that folder only', () => {
  const first = session(app);
  const view = first.ask();
  expect(view?.places).toEqual(['folder', 'everywhere']);
  first.approvals.decide(view?.id ?? '', 'folder');
  expect(session(app).ask()).toBeUndefined();
  expect(session(other).ask()).toBeDefined();
});

it('allows always what the user was asked about, not what the server is started as by the time of the answer', () => {
  const first = session(app);
  const view = first.ask();
  first.relaunch(['other.js']);
  first.approvals.decide(view?.id ?? '', 'folder');
  expect(session(app).ask()).toBeUndefined();
  expect(first.ask()?.why).toEqual({ kind: 'changed' });
});

it('names the folder of the server where the window has more than one', () => {
  expect(session(app, app).ask()?.mcp).toEqual({ server: 'files', tool: 'read' });
  folders = [app, other];
  const ofFolder = session(app, app);
  const view = ofFolder.ask();
  expect(view?.mcp).toEqual({ server: 'files (folder app)', tool: 'read' });
  expect(session(other).ask()?.mcp?.server).toBe('files (User)');
  // what is allowed does not depend on what it is called
  ofFolder.approvals.decide(view?.id ?? '', 'folder');
  folders = [app];
  expect(session(app, app).ask()).toBeUndefined();
});

it('remembers "everywhere" for every folder, and only for servers of the user', () => {
  const first = session(app);
  first.approvals.decide(first.ask()?.id ?? '', 'everywhere');
  expect(session(other).ask()).toBeUndefined();
  expect(session(app, app).ask()?.places).toEqual(['folder']);
});

it('asks again with the difference when the server changed what it says about the tool', async () => {
  const first = session(app);
  first.approvals.decide(first.ask()?.id ?? '', 'folder');
  const later = session(app);
  await later.change({ description: 'Reads a file and mails it' });
  const view = later.ask();
  expect(view?.change).toBe(
    'before: description: Reads a file\nnow: description: Reads a file and mails it',
  );
  later.approvals.decide(view?.id ?? '', 'folder');
  expect(later.ask()).toBeUndefined();
  await later.change({ annotations: { readOnlyHint: true } });
  expect(later.ask()?.change).toContain('now: hints: readOnlyHint: true');
});

it('asks again when the server is started in another way than when it was allowed', () => {
  const first = session(app);
  first.approvals.decide(first.ask()?.id ?? '', 'folder');
  first.approvals.decide(session(app).ask()?.id ?? '', 'session');
  const later = session(app);
  expect(later.ask()).toBeUndefined();
  later.relaunch(['other.js']);
  const view = later.ask();
  expect(view?.change).toContain('not started or reached in the way that was allowed');
  later.approvals.decide(view?.id ?? '', 'folder');
  expect(later.ask()).toBeUndefined();
  expect(first.ask()).toBeDefined();
});

it('asks again for what an earlier version allowed without knowing how the server is started', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pi-mcp-approvals-'));
  try {
    const first = session(app);
    first.approvals.decide(first.ask()?.id ?? '', 'folder');
    const [{ launch, ...former } = { launch: '' }] = store.all;
    expect(launch).not.toBe('');
    await writeFile(join(directory, 'tool-approvals.json'), JSON.stringify([former]));
    store = opened.add(
      new ApprovalStore({
        directory,
        watcher: { watch: () => ({ dispose: () => undefined }) },
        logger: nullLogger,
      }),
    );
    await store.start();
    expect(store.all).toHaveLength(1);
    expect(session(app).ask()?.change).toContain('not started or reached in the way');
  } finally {
    await rm(directory, { recursive: true });
  }
});

it('asks again within the session when the tool changes', async () => {
  const first = session(app);
  first.approvals.decide(first.ask()?.id ?? '', 'session');
  expect(first.ask()).toBeUndefined();
  await first.change({ description: 'Deletes a file' });
  expect(first.ask()).toBeDefined();
});

it('asks again once the decision is revoked', async () => {
  const first = session(app);
  first.approvals.decide(first.ask()?.id ?? '', 'folder');
  const [allowed] = store.all;
  expect(allowed).toMatchObject({ folderUri: app.uri, server: 'files', tool: 'read' });
  if (allowed) {
    await store.revoke(allowed);
  }
  expect(first.ask()).toBeDefined();
});

it.each<[unknown, boolean]>([
  [undefined, true],
  [true, true],
  [false, false],
  [['files/*'], true],
  [['*__read'], true],
  [['other/*'], false],
])('follows approveTools %j of the user', (rule, asks) => {
  expect(session(app, undefined, rule).ask() !== undefined).toBe(asks);
});
