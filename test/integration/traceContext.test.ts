/** Where a request belongs in a trace of its client: through the gateway to a real server, and into the log of calls. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CallFiles, callLogDirectory } from '../../src/mcp/callLog/callFiles.js';
import { HintingServer } from '../fixtures/servers/hintingServer.js';
import { useCommandLine } from '../helpers/commandLine.js';
import { CoreHarness } from '../helpers/coreHarness.js';
import { GatewayHarness } from '../helpers/gateway/gatewayHarness.js';

const cli = useCommandLine();
const id = '4bf92f3577b34da6a3ce929d0e0e4736';
const context = {
  traceparent: `00-${id}-00f067aa0ba902b7-01`,
  tracestate: 'rojo=00f067aa0ba902b7,tenant@vendor=t61rcWkgMzE',
  baggage: 'userId=alice,serverNode=DF%2028',
};
const _meta = { ...context, 'com.example/other': 'stays here' };
let server: HintingServer;
let harness: GatewayHarness | undefined;
let place: CoreHarness | undefined;

beforeEach(async () => {
  server = await HintingServer.start();
});

afterEach(async () => {
  await harness?.dispose();
  await place?.dispose();
  harness = undefined;
  place = undefined;
  await server.close();
});

async function open(protocolVersion: string, files?: CallFiles) {
  const entry = { url: server.url, protocolVersion };
  harness = await GatewayHarness.create({ hinting: entry }, undefined, undefined, files);
  return { harness, gateway: await harness.start() };
}

describe.each(['legacy', '2026-07-28'])('to a server that speaks %s', (generation) => {
  it.each(['connect', 'connectModern'] as const)(
    'goes along with all that it does for a client (%s), and nothing else of the client',
    async (connect) => {
      const { harness: core, gateway } = await open(generation);
      const client = await core[connect](gateway, 'hinting');
      await client.callTool({ name: 'first', arguments: {}, _meta });
      await client.readResource({ uri: 'note://one', _meta });
      await client.getPrompt({ name: 'greet', arguments: { who: 'you' }, _meta });
      for (const method of ['tools/call', 'resources/read', 'prompts/get']) {
        expect(server.metaOf(method), method).toMatchObject(context);
        expect(server.metaOf(method), method).not.toHaveProperty(['com.example/other']);
      }
      await client.callTool({ name: 'first', arguments: {} });
      expect(server.metaOf('tools/call')).not.toHaveProperty('traceparent');
    },
  );
});

it('stands in the log of calls, for programs too, and only where there is one', async () => {
  place = await CoreHarness.create();
  const files = new CallFiles(callLogDirectory(place.environment));
  const { harness: core, gateway } = await open('2026-07-28', files);
  const client = await core.connectModern(gateway, 'hinting');
  await client.callTool({ name: 'first', arguments: {}, _meta });
  await client.callTool({ name: 'first', arguments: {} });
  await core.core.closeAll();
  const { fsPath = '' } = core.folder;
  const { calls } = await files.read({ since: 0, folders: [fsPath], most: 10 });
  expect(calls.map(({ trace }) => trace)).toEqual([id, undefined]);
  const shown = await cli(place.root, ['log', '--folder', fsPath, '--json']).document();
  expect(shown).toMatchObject({ document: { calls: [{ trace: id }, {}] } });
  const csv = await cli(place.root, ['log', '--folder', fsPath, '--format', 'csv']).ended;
  expect(csv.out).toMatch(new RegExp(`,trace\\n.*,"${id}"\\n.*,""\\n$`));
});
