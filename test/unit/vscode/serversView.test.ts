import { expect, it, vi } from 'vitest';
import type { ServersTree } from '../../../src/vscode/views/serversTree.js';
import { ServersView } from '../../../src/vscode/views/serversView.js';
import { FakeServer, FakeService, fakeDefinition, fakePool } from '../../helpers/fakes/fakeMcp.js';

// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
vi.mock('vscode', async () => {
  const { Emitter } = await import('../../../src/base/event.js');
  class EventEmitter extends Emitter<unknown> {}
  return { EventEmitter };
});

it('draws the boxes as they are where VS Code has lost which one was clicked', async () => {
  const { Emitter } = await import('../../../src/base/event.js');
  const clicked = new Emitter<{ items: unknown[] }>();
  const server = new FakeServer(fakeDefinition('docs'), { kind: 'idle' });
  const quiet = { onDidChange: new Emitter().event };
  const service = Object.assign(new FakeService([fakePool([server])]), {
    accounts: quiet,
    trust: quiet,
    onDidChangeServer: quiet.onDidChange,
  });
  const switched: unknown[] = [];
  const view = new ServersView(
    service as never,
    { view: { onDidChangeCheckboxState: clicked.event } } as unknown as ServersTree,
    new Promise(() => undefined),
    () => ({ switchTools: async (items: unknown[]) => void switched.push(...items) }) as never,
    (error) => expect(error).toBeUndefined(),
  );
  const drawn: unknown[] = [];
  view.provider.onDidChangeTreeData((nodes) => drawn.push(nodes));
  const row = { kind: 'tool', server };
  clicked.fire({ items: [[row, 0]] });
  await expect.poll(() => drawn).toEqual([[row]]);
  clicked.fire({ items: [] });
  await expect.poll(() => drawn).toEqual([[row], undefined]);
  expect(switched).toEqual([[row, 0]]);
  view.dispose();
});
