/** What a client of the gateway says of its trace, so that something else comes to a server or into the log of calls. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CallFiles } from '../../src/mcp/callLog/callFiles.js';
import { HintingServer } from '../fixtures/servers/hintingServer.js';
import { GatewayHarness } from '../helpers/gateway/gatewayHarness.js';

const canary = 'sings';
const id = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${id}-00f067aa0ba902b7-01`;
let server: HintingServer;
let harness: GatewayHarness;
let directory: string;
let client: Awaited<ReturnType<GatewayHarness['connectModern']>>;

beforeAll(async () => {
  server = await HintingServer.start();
  directory = await mkdtemp(join(tmpdir(), 'pi-mcp-traces-'));
  const entry = { url: server.url, protocolVersion: '2026-07-28' };
  const files = new CallFiles(directory);
  harness = await GatewayHarness.create({ hinting: entry }, undefined, undefined, files);
  client = await harness.connectModern(await harness.start(), 'hinting');
});

afterAll(async () => {
  await harness.dispose();
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

/** What comes to the server of it, as text. */
async function sent(meta: Readonly<Record<string, unknown>>): Promise<string> {
  await client.callTool({ name: 'first', arguments: {}, _meta: meta });
  return JSON.stringify(server.metaOf('tools/call'));
}

const long = 'x'.repeat(100_000);
const hostile: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['a parent that goes on', { traceparent: `${traceparent}-${canary}` }],
  ['a parent with an end of line', { traceparent: `${traceparent}\r\nx-${canary}: 1` }],
  ['a parent of nothing', { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, canary }],
  ['a parent that is no text', { traceparent: { [canary]: traceparent } }],
  ['a parent of a version that there is not', { traceparent: `ff-${canary}-${traceparent}` }],
  ['a state without a parent', { tracestate: `a=${canary}` }],
  ['a state of a wrong parent', { traceparent: 'wrong', tracestate: `a=${canary}` }],
  ['a state with an end of line', { traceparent, tracestate: `a=1\n${canary}=2` }],
  ['a state without end', { traceparent, tracestate: `a=${canary}${long}` }],
  ['a state of other letters', { traceparent, tracestate: `a=${canary}\u202e` }],
  ['baggage without end', { baggage: `a=${canary}${long}` }],
  ['baggage with quotation marks', { baggage: `a="${canary}"` }],
  ['baggage of more than there may be', { baggage: `${'a=1,'.repeat(200)}a=${canary}` }],
  ['baggage that is a list', { baggage: [`a=${canary}`] }],
  ['keys of prototypes', JSON.parse(`{"__proto__":{"traceparent":"${canary}"}}`)],
  ['what is not of a trace', { [`io.modelcontextprotocol/${canary}`]: canary, progress: canary }],
];

describe('a request of a client', () => {
  it('has what it says of its trace at the server: the canary sings', async () => {
    const text = await sent({ traceparent, tracestate: `a=${canary}`, baggage: `b=${canary}` });
    expect(text.split(canary)).toHaveLength(3);
    expect(text).toContain(traceparent);
  });

  it.each(hostile)('brings nothing to the server by %s', async (_what, meta) => {
    expect(await sent(meta)).not.toContain(canary);
    expect(({} as { traceparent?: unknown }).traceparent).toBeUndefined();
  });

  it('writes nothing into the log but the id of a trace', async () => {
    await harness.core.closeAll();
    const names = await readdir(directory, { recursive: true });
    const [name = ''] = names.filter((one) => one.endsWith('.jsonl'));
    const text = await readFile(join(directory, name), 'utf8');
    const lines = text.trim().split('\n');
    expect(lines).toHaveLength(hostile.length + 1);
    expect(text).not.toContain(canary);
    const traces = new Set(lines.map((line) => JSON.parse(line).trace));
    expect(traces).toEqual(new Set([id, undefined]));
  });
});
