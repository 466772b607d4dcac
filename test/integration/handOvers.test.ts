/** What an editor is told of the servers that its user hands over to it, and what it reaches with that. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HandedServer } from '../../src/gateway/handOvers.js';
import { everything, memory } from '../helpers/coreHarness.js';
import { connectClient } from '../helpers/gateway/gatewayHarness.js';
import { HandOverHarness } from '../helpers/gateway/handOverHarness.js';

let harness: HandOverHarness;

beforeAll(async () => {
  harness = await HandOverHarness.create({ everything, memory });
});

beforeEach(async () => {
  await harness.gateways.stopAll();
  const { handOvers, folderUri } = harness;
  await handOvers.choose(
    folderUri,
    [harness.server('everything'), harness.server('memory')],
    false,
  );
});

afterAll(async () => {
  await harness.dispose();
});

function first(): HandedServer {
  const [server] = harness.handOvers.offered;
  if (!server) {
    throw new Error('nothing is handed over');
  }
  return server;
}

const connect = ({ url }: HandedServer, token = '') => connectClient(new URL(url), token);

describe('a server that is handed over', () => {
  it('is told of while the gateway runs, and of no other one', async () => {
    const { handOvers, folderUri, gateways } = harness;
    await handOvers.choose(folderUri, [harness.server('memory')], true);
    expect(harness.labels).toEqual([]);
    expect(handOvers.foldersOf(harness.server('memory'))).toEqual([folderUri]);
    const gateway = await gateways.start(folderUri);
    expect(handOvers.offered).toMatchObject([
      { name: 'memory', label: 'memory (Pi MCP)', url: `${gateway.url}/memory` },
    ]);
    expect(handOvers.isOffered(folderUri, harness.server('memory'))).toBe(true);
    expect(handOvers.isOffered(folderUri, harness.server('everything'))).toBe(false);
  });

  it('is reached under its own names by the connection that is here', async () => {
    await harness.handOver('memory');
    const access = harness.handOvers.access('memory (Pi MCP)');
    const client = await connect(first(), access?.token);
    const { tools } = await client.listTools();
    const own = harness.server('memory').catalog.value.tools;
    expect(tools.map(({ name }) => name)).toEqual(own.map(({ name }) => name));
    await client.close();
  });

  it('is taken back before the gateway ends anything', async () => {
    await harness.handOver('memory');
    const { gateways, handOvers, folderUri } = harness;
    const client = await connect(first(), handOvers.access('memory (Pi MCP)')?.token);
    const sessions: number[] = [];
    const listener = handOvers.onDidChangeOffered(() => {
      expect(handOvers.offered).toEqual([]);
      sessions.push(gateways.get(folderUri)?.sessionCount ?? -1);
    });
    await gateways.stop(folderUri);
    listener.dispose();
    expect(sessions).toEqual([1]);
    expect(handOvers.access('memory (Pi MCP)')).toBeUndefined();
    await client.close().catch(() => undefined);
  });

  it('has another version when what it lends is another, and the same when it is the same', async () => {
    await harness.handOver('everything');
    const { version } = first();
    harness.rulesChanged.fire();
    expect(first().version).toBe(version);
    harness.switchedOff.add('echo');
    harness.rulesChanged.fire();
    expect(first().version).not.toBe(version);
    harness.switchedOff.clear();
    harness.rulesChanged.fire();
    expect(first().version).toBe(version);
  });

  it('is remembered for the next window, in which nothing is lent before the gateway runs', async () => {
    await harness.handOver('memory');
    expect(Object.keys(harness.memory.value as object)).toEqual([harness.folderUri]);
    expect(JSON.stringify(harness.memory.value)).not.toContain(
      harness.gateways.get(harness.folderUri)?.tokens.use,
    );
    await harness.gateways.stopAll();
    expect(harness.labels).toEqual([]);
    await harness.gateways.start(harness.folderUri);
    expect(harness.labels).toEqual(['memory (Pi MCP)']);
  });

  it('is the editor’s no more when the user takes it back', async () => {
    await harness.handOver('memory', 'everything');
    const { handOvers, folderUri } = harness;
    let changes = 0;
    const listener = handOvers.onDidChangeOffered(() => changes++);
    await handOvers.choose(folderUri, [harness.server('memory')], false);
    listener.dispose();
    expect(changes).toBe(1);
    expect(harness.labels).toEqual(['everything (Pi MCP)']);
  });
});
