/** What is left of calls through a gateway: numbers for the user, and parameters for who called in vain. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toDisposable } from '../../src/base/disposable.js';
import type { Gateway } from '../../src/gateway/gateway.js';
import { ToolStatistics } from '../../src/mcp/catalog/records/toolStatistics.js';
import { nullLogger } from '../../src/platform/ports.js';
import { everything } from '../helpers/coreHarness.js';
import { deadServer, GatewayHarness, textsOf } from '../helpers/gateway/gatewayHarness.js';

let harness: GatewayHarness;
let gateway: Gateway;
let statistics: ToolStatistics;

beforeAll(async () => {
  harness = await GatewayHarness.create({ everything, dead: deadServer });
  statistics = new ToolStatistics({
    watcher: { watch: () => toDisposable(() => undefined) },
    logger: nullLogger,
  });
  const path = join(harness.core.root, 'numbers.json');
  await statistics.keepIn({ path, flushDelayMs: 60_000 });
  gateway = await harness.start({ statistics });
});

afterAll(async () => {
  await harness.dispose();
  statistics.dispose();
});

type Caller = Pick<Client, 'callTool'>;

const sum = (client: Caller, args: object, name = 'everything__get_sum') =>
  client.callTool({ name, arguments: { ...args } });

const help =
  /^Parameters of everything__get_sum: \n {2}a \(number, required\).*\n {2}b \(number, required\)/;

it('tells each session once what a tool takes, behind what the server says of the failed call', async () => {
  for (const name of ['first', 'second']) {
    const client = await harness.connect(gateway, undefined, name);
    expect(textsOf(await sum(client, { a: 2, b: 3 }))).toHaveLength(1);
    expect(await sum(client, { a: 2 })).toMatchObject({ isError: true });
    const other = await harness.connect(gateway, undefined, name);
    expect(textsOf(await sum(other, { a: 2 }))).toEqual([
      expect.stringContaining('get-sum'),
      expect.stringMatching(help),
    ]);
    expect(textsOf(await sum(other, { a: 2 }))).toHaveLength(1);
    expect(textsOf(await sum(client, { b: 2 }))).toHaveLength(1);
  }
});

it('tells them under the names of a server of its own', async () => {
  const client = await harness.connect(gateway, 'everything');
  const [, told] = textsOf(await sum(client, {}, 'get-sum'));
  expect(told).toMatch(/^Parameters of get-sum: /);
});

it('tells a client without sessions once, and one on the socket', async () => {
  const modern = await harness.connectModern(gateway);
  expect(textsOf(await sum(modern as Caller, { a: 2 }))).toHaveLength(2);
  expect(textsOf(await sum(modern as Caller, { a: 2 }))).toHaveLength(1);
  const client = await harness.connectSocket(gateway);
  expect(textsOf(await sum(client, { a: 2 }))).toHaveLength(2);
  expect(textsOf(await sum(client, { a: 2 }))).toHaveLength(1);
});

it('counts what clients call, as the calls of the agent are counted', async () => {
  await statistics.flush();
  const client = await harness.connect(gateway, 'everything');
  const numbers = async () => {
    await statistics.flush();
    const all = JSON.parse(await readFile(join(harness.core.root, 'numbers.json'), 'utf8'));
    return all.find(({ tool }: { tool: string }) => tool === 'echo');
  };
  await client.callTool({ name: 'echo', arguments: { message: 'four words and more' } });
  await client.callTool({ name: 'echo', arguments: {} });
  const { tokens, durations, bytes, ...counts } = await numbers();
  expect(counts).toEqual({
    server: 'everything',
    tool: 'echo',
    calls: 2,
    errors: { tool_error: 1 },
  });
  expect(tokens).toBeGreaterThan(4);
  expect(bytes).toBeGreaterThan(40);
  expect(durations).toHaveLength(2);
});
