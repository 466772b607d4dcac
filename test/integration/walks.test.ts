/** The files that docs/development.md draws take part in a real call, a real message and real calls of other programs. */
import { Session } from 'node:inspector/promises';
import { expect, it, onTestFinished } from 'vitest';
import { CoreHarness, everything, find } from '../helpers/coreHarness.js';
import { readWalks } from '../helpers/documents/walks.js';
import { createAgentHarness } from '../helpers/fakes/agentHarness.js';
import { GatewayHarness } from '../helpers/gateway/gatewayHarness.js';

const [call, message, lent] = readWalks();

/** @returns what says of which files, from `src`, a function has run since */
async function watchFiles(): Promise<() => Promise<ReadonlySet<string>>> {
  const session = new Session();
  session.connect();
  onTestFinished(() => session.disconnect());
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ran = result.filter(({ functions }) =>
      // those without a name are the file itself and the ways to its exports
      functions.some(({ functionName, ranges: [all] }) => functionName && all && all.count > 0),
    );
    return new Set(ran.map(({ url }) => url.replace(/^.*\/src\//, '')));
  };
}

it('a call of the agent and the message before it go the drawn ways', async () => {
  const core = await CoreHarness.create();
  onTestFinished(() => core.dispose());
  await core.writeGlobal({ all: everything });
  const service = core.open();
  await service.whenStarted();
  const agent = await createAgentHarness({ service });
  onTestFinished(() => agent.dispose());
  await agent.say('hello');
  await find(service, 'all').ensureConnected();
  const ran = await watchFiles();
  await agent.panel.prompt('call all__echo {"message": "hi"}');
  await agent.answer('once');
  expect(agent.tools().at(-1)).toMatchObject({ status: 'done' });
  const files = await ran();
  expect(call?.files.filter((file) => !files.has(file))).toEqual([]);
  const ours = message?.files.filter((file) => file.startsWith('agent/')) ?? [];
  expect(ours.length).toBeGreaterThan(8);
  expect(ours.filter((file) => !files.has(file))).toEqual([]);
  // no program calls here
  expect(lent?.files.filter((file) => file.startsWith('gateway/') && files.has(file))).toEqual([]);
});

it('calls through the gateway go the drawn ways, whatever door and revision a program has', async () => {
  const harness = await GatewayHarness.create({ all: everything });
  onTestFinished(() => harness.dispose());
  const ran = await watchFiles();
  const gateway = await harness.start();
  const clients = [
    await harness.connectSocket(gateway),
    await harness.connect(gateway),
    await harness.connectModern(gateway),
  ];
  for (const client of clients) {
    const result = await client.callTool({ name: 'all__echo', arguments: { message: 'hi' } });
    expect(result.content).toEqual([{ type: 'text', text: 'Echo: hi' }]);
  }
  const files = await ran();
  expect(lent?.files.filter((file) => !files.has(file))).toEqual([]);
});
