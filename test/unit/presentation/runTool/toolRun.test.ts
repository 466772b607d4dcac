import { expect, it } from 'vitest';
import { RunHistory } from '../../../../src/presentation/runTool/runHistory.js';
import { ToolRun } from '../../../../src/presentation/runTool/toolRun.js';
import { FakeServer, fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

it('calls no tool whose run was cancelled while its arguments were checked', async () => {
  const tool = { name: 'delete', inputSchema: { type: 'object' } };
  const server = new FakeServer(fakeDefinition('files'), { kind: 'idle' }, { tools: [tool] });
  let calls = 0;
  server.callTool = async () => {
    calls++;
    throw new Error('called');
  };
  const run = new ToolRun(
    { serverId: server.id, tool: 'delete' },
    {
      service: { getServer: () => server, settingsFor: () => ({}) } as never,
      history: new RunHistory({ recall: () => undefined, remember: async () => undefined }),
      language: 'en',
    },
  );
  const running = run.run({ args: {}, asTask: false } as never, () => undefined);
  run.cancel();
  expect(await running).toMatchObject({ outcome: { end: 'cancelled' } });
  expect(calls).toBe(0);
});
