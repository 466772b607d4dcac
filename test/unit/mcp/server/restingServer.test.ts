/** A server at rest, before anybody wants something of it. What comes then: `mcpServer.test.ts`. */
import { describe, expect, it } from 'vitest';
import type { McpServerDefinition } from '../../../../src/config/definition.js';
import { nullLoggers } from '../../../../src/config/ports.js';
import { defaultOptions } from '../../../../src/config/schema/fields.js';
import { DefinitionPinFiles } from '../../../../src/mcp/catalog/definitions/definitionPinFiles.js';
import { StartSlots } from '../../../../src/mcp/connection/startSlots.js';
import type { BlockedState, McpCatalog } from '../../../../src/mcp/mcpTypes.js';
import { emptyCatalog } from '../../../../src/mcp/mcpTypes.js';
import { DefaultMcpServer } from '../../../../src/mcp/server/mcpServer.js';
import { blockedState } from '../../../../src/mcp/server/serverState.js';
import { createDeferred } from '../../../helpers/fakes/deferred.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';
import { FakeConnection } from '../../../helpers/fakes/fakeConnection.js';
import { fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

const gated: BlockedState = { kind: 'trust_required', reason: { kind: 'never_consented' } };
const catalog: McpCatalog = { ...emptyCatalog, tools: [{ name: 'echo', inputSchema: {} }] };

function setUp(predecessor?: Promise<void>, blocked?: BlockedState) {
  const gate: { blocked: BlockedState | undefined } = { blocked };
  const opened: FakeConnection[] = [];
  const definition = fakeDefinition('one', { change: { options: defaultOptions } });
  const server = new DefaultMcpServer(definition, {
    connector: async () => {
      const connection = new FakeConnection(opened.length + 1);
      opened.push(connection);
      return connection;
    },
    slots: new StartSlots(10),
    predecessor,
    clock: new FakeClock(),
    blockedState: () => gate.blocked,
    isHiddenIn: () => false,
    logCall: (_definition, _call, work) => work(),
    pins: new DefinitionPinFiles(undefined),
    loggers: nullLoggers,
    onDidReadCatalog: () => undefined,
  });
  return { server, definition, gate, opened };
}

describe('a server at rest', () => {
  it('says what keeps it from running, once each time', () => {
    const { server, gate } = setUp();
    const states: string[] = [];
    server.state.onDidChange(({ kind }) => states.push(kind));
    gate.blocked = gated;
    server.updateGate();
    gate.blocked = { ...gated };
    server.updateGate();
    expect([states, server.isBlocked]).toEqual([['trust_required'], true]);
    gate.blocked = undefined;
    server.updateGate();
    expect([states, server.isBlocked]).toEqual([['trust_required', 'idle'], false]);
  });

  it('says from the beginning what keeps it from running', () => {
    const { server, definition } = setUp(undefined, gated);
    expect([server.id, server.state.value, server.isBlocked]).toEqual([definition.id, gated, true]);
  });

  it('shows the catalog that is remembered of its launch, and keeps it when it is used', async () => {
    const { server, definition } = setUp();
    const other = fakeDefinition('one', { change: { launch: undefined } });
    server.restoreCatalog(other, catalog);
    expect(server.isCatalogKnown).toBe(false);
    server.restoreCatalog(definition, catalog);
    server.restoreCatalog(definition, emptyCatalog);
    expect([server.isCatalogKnown, server.catalog.value]).toEqual([true, catalog]);
    server.setDefinition(other);
    expect([server.isCatalogKnown, server.catalog.value]).toEqual([false, emptyCatalog]);
  });

  it('is not started for whoever waits while somebody stops it or it goes away', async () => {
    const { server, opened } = setUp();
    const stopped = expect(server.ensureConnected()).rejects.toMatchObject({ code: 'stopped' });
    await server.stop();
    await stopped;
    const gone = expect(server.callTool('echo', {})).rejects.toMatchObject({ code: 'stopped' });
    await server.dispose();
    await gone;
    await expect(server.ensureConnected()).rejects.toMatchObject({ code: 'stopped' });
    expect(opened).toEqual([]);
  });

  it('is gone only when the one is that had its id before', async () => {
    const before = createDeferred<void>();
    const { server } = setUp(before.promise);
    const ended = server.dispose().then(() => 'ended');
    expect(await Promise.race([ended, Promise.resolve('waits')])).toBe('waits');
    before.resolve();
    expect(await ended).toBe('ended');
  });

  it('tells nobody of what it offers once it is gone', async () => {
    const { server, definition } = setUp();
    let changes = 0;
    server.catalog.onDidChange(() => changes++);
    await server.dispose();
    server.restoreCatalog(definition, catalog);
    expect(changes).toBe(0);
  });

  it('tells the server that comes of it who holds it', async () => {
    const { server } = setUp();
    const kept = server.hold('page');
    const short = server.hold('call');
    expect(server.activity).toEqual({ restarts: 0, calls: 0, holders: ['page', 'call'] });
    short.dispose();
    await server.ensureConnected();
    expect(server.activity.holders).toEqual(['page']);
    kept.dispose();
    expect(server.activity.holders).toEqual([]);
  });
});

const allowed = { allowed: true } as const;
const virtual = { uri: 'vscode-vfs://github/a', name: 'a', fsPath: undefined };
const remote = { kind: 'http', url: 'https://a.test/', headers: {} } as const;

it.each<[string, Parameters<typeof blockedState>, object | undefined]>([
  ['nothing', [fakeDefinition('a'), false, allowed], undefined],
  [
    'the master switch, before all else',
    [off(), true, never()],
    { kind: 'disabled', by: 'master' },
  ],
  ['its own switch', [off(), false, never()], { kind: 'disabled', by: 'server' }],
  [
    'no launch',
    [fakeDefinition('a', { change: { launch: undefined } }), false, never()],
    { kind: 'invalid', problems: [] },
  ],
  [
    'a folder without a disk',
    [inFolder({}), false, never()],
    { kind: 'invalid', problems: [{ code: 'folder_virtual' }] },
  ],
  ['trust', [fakeDefinition('a'), false, never()], gated],
  ['nothing, being remote', [inFolder({ launch: remote as never }), false, allowed], undefined],
])('is kept from running by %s', (_what, given, expected) => {
  const state = blockedState(...given);
  if (expected === undefined) {
    expect(state).toBeUndefined();
  } else {
    expect(state).toMatchObject(expected);
  }
});

function off() {
  return fakeDefinition('a', { change: { enabled: false } });
}
function never() {
  return { allowed: false, reason: { kind: 'never_consented' } } as const;
}
function inFolder(change: Partial<McpServerDefinition>) {
  return { ...fakeDefinition('a', { change }), folder: virtual } as ReturnType<
    typeof fakeDefinition
  >;
}
