/** What an empty conversation says of the folder, over the real panel. */
import { expect, it } from 'vitest';
import { StartOverview } from '../../src/presentation/start/startOverview.js';
import { CallableServer } from '../helpers/fakes/fakeAgentMcp.js';
import { fakeFailure } from '../helpers/fakes/fakeMcp.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();

it('names the conversations of the folder beside the empty one, and what its servers need', async () => {
  const server = new CallableServer('demo', [], () => Promise.reject(new Error('not called')));
  const h = await harness({ servers: () => [server] });
  const { library, folder } = h.panel;
  const service = h.service.asService;
  const start = new StartOverview({ library, service, folderUri: () => folder, language: 'en' });
  try {
    await h.panel.ensureSession();
    expect(await start.read()).toEqual({
      folder,
      recent: [],
      servers: { text: 'MCP servers: 1 of 1 ready', steps: [] },
    });
    await h.say('What is this?');
    // it is the one that is shown
    expect((await start.read()).recent).toEqual([]);
    await h.panel.newSession();
    const { recent } = await start.read();
    expect(recent).toMatchObject([{ title: 'What is this?', icon: 'comment-discussion' }]);
    let changes = 0;
    start.onDidChange(() => changes++);
    server.state.set({ kind: 'needs_auth', failure: fakeFailure() });
    expect(changes).toBeGreaterThan(0);
    expect((await start.read()).servers?.steps).toMatchObject([
      { kind: 'signIn', server: server.id },
    ]);
    await h.panel.library.open(recent[0]?.id ?? '');
    expect(h.panel.snapshot().transcript[0]).toMatchObject({ text: 'What is this?' });
  } finally {
    start.dispose();
  }
});
