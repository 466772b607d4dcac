import { describe, expect, it } from 'vitest';
import { commandIds, itemFlags } from '../../../../src/contributions.js';
import type { FolderTrust } from '../../../../src/mcp/mcpApi.js';
import type { McpServerState } from '../../../../src/mcp/mcpTypes.js';
import { serverPageView } from '../../../../src/presentation/server/serverPageView.js';
import { presentNode, rootNodes, serverNode } from '../../../../src/presentation/tree/nodes.js';
import type { OtherUse } from '../../../../src/presentation/tree/presentation.js';
import {
  stopCopiesQuestion,
  stoppableCopies,
} from '../../../../src/presentation/tree/tooltips/otherUseTooltip.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakeFolder,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

const folder = fakeFolder('api');
const connected: McpServerState = {
  kind: 'connected',
  transport: 'stdio',
  since: 0,
  connectMs: 850,
  pid: 7,
};
const predicted = { isPredicted: true, running: [], choice: undefined } as const;
const doubled = {
  isPredicted: true,
  running: [{ client: 'vscode' }, { client: 'claude-code', first: { pid: 42, start: '1' } }],
  choice: undefined,
} as const;

function present(otherUse: OtherUse, isOn = true) {
  const definition = fakeDefinition('files', { folder, change: { enabled: isOn } });
  const state: McpServerState = isOn ? connected : { kind: 'disabled', by: 'server' };
  const server = new FakeServer(definition, state);
  const context = {
    isWorkspaceTrusted: true,
    folderTrust: (): FolderTrust => ({ kind: 'none' }),
    otherUse: () => otherUse,
  };
  const service = new FakeService([fakePool([server], { folder })]);
  const page = serverPageView(service, { id: server.id, name: 'files' }, context);
  return { ...presentNode(serverNode(server), context), server, page };
}

describe('a row', () => {
  it.each([
    ['nobody else', {}, 'Connected'],
    ['VS Code would', { start: predicted }, 'Connected'],
    ['others have', { start: doubled }, 'Connected · runs in VS Code, Claude Code too'],
    ['both were chosen', { start: { ...doubled, choice: 'both' } }, 'Connected'],
    [
      'it was handed over',
      { handOver: 'offered', start: predicted },
      'Connected · shared with VS Code',
    ],
    [
      'it was handed over, and started all the same',
      { handOver: 'offered', start: doubled },
      'Connected · shared with VS Code · runs in VS Code, Claude Code too',
    ],
    ['it waits', { handOver: 'waiting' }, 'Connected · VS Code waits for the gateway'],
  ] as const)('says who starts the server where %s', (_what, otherUse, description) => {
    const row = present(otherUse);
    expect(row.description).toBe(description);
    // what is read out is the same
    expect(row.spoken).toBe(`files, ${description.replaceAll(' · ', ', ')}, folder api`);
  });

  it('says that a server was left to VS Code as long as it is switched off', () => {
    const left = { start: { ...predicted, choice: 'left' } } as const;
    expect(present(left, false).description).toBe('Disabled · left to VS Code');
    expect(present({ start: predicted }, false).description).toBe('Disabled');
  });

  it('has an icon of its own for what runs twice unasked, and no other', () => {
    expect(present({ start: doubled }).icon).toBe('versions');
    for (const otherUse of [{}, { start: predicted }, { start: { ...doubled, choice: 'both' } }]) {
      expect(present(otherUse as OtherUse).icon).toBe('pass-filled');
    }
  });
});

describe('the choice who starts it', () => {
  it('is a row at the top while it is open', () => {
    const service = new FakeService([
      fakePool([new FakeServer(fakeDefinition('files'), connected)]),
    ]);
    const labels = (asksWho: boolean) =>
      rootNodes(service as never, { asksWho: () => asksWho }).map((node) => {
        const row = presentNode(node, {
          isWorkspaceTrusted: true,
          folderTrust: () => ({ kind: 'none' }),
        });
        return [row.label, row.command?.id];
      });
    expect(labels(true)[0]).toEqual([
      'VS Code also starts these servers',
      commandIds.chooseStarter,
    ]);
    expect(labels(false)).toEqual(labels(true).slice(1));
  });

  it('is in the menu by its flags', () => {
    const flags = (otherUse: OtherUse) => present(otherUse).flags.split(' ');
    expect(flags({})).not.toContain(itemFlags.doubled);
    expect(flags({ start: predicted })).toContain(itemFlags.doubled);
    expect(flags({ handOver: 'waiting' })).toContain(itemFlags.handedOver);
  });
});

it('asks about every copy that would be ended, by its client and its process', () => {
  const cursor = { client: 'cursor', first: { pid: 43, start: '2' } } as const;
  const running = [...doubled.running, cursor];
  const copies = stoppableCopies({ ...doubled, running });
  expect(copies.map(({ first }) => first.pid)).toEqual([42, 43]);
  expect(stopCopiesQuestion('my files', copies)).toMatchObject({
    message: 'Stop the copy of “my files”?',
    detail:
      'Claude Code, process 42\nCursor, process 43\nIts agent loses the server, and may start it again.',
  });
});

it('tells the process of a copy, and nothing of how it was started', () => {
  const section = present({ start: doubled }).page.sections.find(({ title }) =>
    title.startsWith('Other'),
  );
  const texts = section?.facts.map(({ text }) => text);
  const share = { action: 'share', title: 'Choose Who Starts Servers' };
  expect(section?.actions).toEqual([{ action: 'stopCopies', title: 'Stop the Copy…' }, share]);
  const known = { ...doubled, running: doubled.running.slice(0, 1) };
  expect(
    present({ start: known }).page.sections.find(({ title }) => title.startsWith('Other'))?.actions,
  ).toEqual([share]);
  expect(texts).toContain('runs in VS Code too');
  expect(texts).toContain('runs in Claude Code too, process 42');
});
