/** Servers that a host lists as its own, from its address in the box to a connection: SEP-2127 with real servers on loopback. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { globalPoolId, serverId } from '../../src/config/definition.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import type { ServerInstaller } from '../../src/presentation/add/serverInstaller.js';
import type { AddReading, OfferDetails } from '../../src/protocol/add/addProtocol.js';
import { HintingServer } from '../fixtures/servers/hintingServer.js';
import { CoreHarness } from '../helpers/coreHarness.js';
import { createAnswers } from '../helpers/fakes/fakeAnswers.js';
import { createInstaller, paramsFor } from '../helpers/serverInstaller.js';

const catalog = '/.well-known/ai-catalog.json';
const type = 'application/mcp-server-card+json';
const schema = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json';
const mine = 'User: Every Folder';

let host: HintingServer;
let other: HintingServer;
let core: CoreHarness;
let service: McpService;
let installer: ServerInstaller;

beforeEach(async () => {
  host = await HintingServer.start();
  other = await HintingServer.start();
  core = await CoreHarness.create();
  service = await core.start();
  installer = createInstaller(service, {
    answers: createAnswers(),
    url: 'https://registry.example',
  });
});

afterEach(async () => {
  await core.dispose();
  await host.close();
  await other.close();
});

const card = (name: string, url: string, rest: object = {}) => ({
  $schema: schema,
  name: `com.example/${name}`,
  version: '1.2.0',
  description: `What ${name} does`,
  remotes: [{ type: 'streamable-http', url, ...rest }],
});
const entry = (name: string, rest: object) => ({
  identifier: `urn:air:example.com:mcp:${name}`,
  type,
  ...rest,
});
const hostOf = ({ url }: HintingServer) => new URL(url).host;

function cardsOf(reading: AddReading): readonly OfferDetails[] {
  if (reading.kind !== 'servers') {
    throw new Error(JSON.stringify(reading));
  }
  return reading.cards;
}

it('are found at the host of a pasted URL once the user asks, and one of them is added and connected', async () => {
  const header = {
    name: 'X-Region',
    description: 'Where',
    isRequired: true,
    value: '{region}',
    variables: { region: { default: 'eu', choices: ['eu', 'us'] } },
  };
  host.documents.set(catalog, {
    specVersion: '1.0',
    entries: [
      entry('weather', { url: new URL('/mcp/server-card', host.url).href }),
      entry('inline', { data: card('inline', host.url) }),
      { ...entry('agent', { url: host.url }), type: 'application/a2a-agent-card+json' },
    ],
  });
  host.documents.set('/mcp/server-card', {
    ...card('weather', host.url, { headers: [header] }),
    title: 'Weather',
  });
  const pasted = await installer.read(host.url);
  expect(pasted).toMatchObject({ kind: 'servers', host: hostOf(host), cards: [{}] });
  expect(host.asked).toEqual([]);

  const found = await installer.discover(host.url);
  expect(host.asked).toEqual([catalog, '/mcp/server-card']);
  const [weather, inline] = cardsOf(found);
  expect(found).toMatchObject({ what: `${hostOf(host)}: 2 servers` });
  expect(weather).toMatchObject({
    title: 'Weather',
    description: 'What weather does',
    suggestedName: 'weather',
    facts: ['com.example/weather, version 1.2.0', `${hostOf(host)} lists it. It was not checked.`],
    cautions: [],
    ways: [{ title: host.url, schema: { required: ['remote-0-header-X-Region-region'] } }],
  });
  expect(inline).toMatchObject({ title: 'com.example/inline' });

  const answers = { 'remote-0-header-X-Region-region': 'us' };
  await installer.add(paramsFor(installer, weather as OfferDetails, mine, answers));
  const file = join(core.root, 'home', '.pi', 'agent', 'mcp.json');
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    mcpServers: { weather: { type: 'http', url: host.url, headers: { 'X-Region': 'us' } } },
  });
  await service.reload();
  const server = service.getServer(serverId(globalPoolId, 'weather'));
  await server?.ensureConnected();
  expect(server?.catalog.value.tools.map(({ name }) => name)).toEqual(['first']);
});

it('of another host are named with it, and asked for only when that address is pasted', async () => {
  const place = new URL('/cards/server-card', other.url).href;
  other.documents.set('/cards/server-card', card('far', other.url));
  host.documents.set(catalog, {
    specVersion: '1.0',
    entries: [
      entry('elsewhere', { url: place }),
      entry('hosted', { data: card('hosted', other.url) }),
    ],
  });
  const [elsewhere, hosted] = cardsOf(await installer.discover(host.url));
  expect(elsewhere?.ways[0]?.blocker).toBe(
    `Its card is at another host, ${hostOf(other)}, which was not asked. Paste this address to ask it: ${place}`,
  );
  expect(hosted?.cautions).toEqual([
    `Its address is not at ${hostOf(host)}, but at another host: ${hostOf(other)}`,
  ]);
  expect(other.asked).toEqual([]);
  const [far] = cardsOf(await installer.discover(place));
  expect(far).toMatchObject({ title: 'com.example/far', cautions: [] });
  expect(other.asked).toEqual(['/cards/server-card']);
});

it('are none where the host lists none, or nobody answers', async () => {
  const wrong = { kind: 'wrong', message: `${hostOf(host)} lists no MCP servers.` };
  host.documents.set(catalog, { specVersion: '1.0', entries: [] });
  expect(await installer.discover(host.url)).toMatchObject(wrong);
  host.documents.set(catalog, []);
  expect(await installer.discover(host.url)).toMatchObject(wrong);
  host.documents.delete(catalog);
  expect(await installer.discover(host.url)).toMatchObject(wrong);
  const { url } = other;
  await other.close();
  expect(await installer.discover(url)).toMatchObject({
    kind: 'wrong',
    message: `${new URL(url).host} cannot be reached.`,
  });
});

it('are shown up to a number, with how many there are', async () => {
  const entries = Array.from({ length: 40 }, (_, at) =>
    entry(`s${at}`, { data: card(`s${at}`, host.url) }),
  );
  host.documents.set(catalog, { specVersion: '1.0', entries });
  const found = await installer.discover(host.url);
  expect(cardsOf(found)).toHaveLength(30);
  expect(found).toMatchObject({ what: `${hostOf(host)}: 30 of 40 servers` });
});
