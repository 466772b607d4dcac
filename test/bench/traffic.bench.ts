/** What it costs that all traffic is recorded, and what a full recording takes. */
import { resolve } from 'node:path';
import type { McpConnection } from '../../src/mcp/connection/mcpConnection.js';
import { maxRecords, Recording } from '../../src/mcp/traffic/recording.js';
import { systemClock } from '../../src/platform/clock.js';
import { requestOptions, stdioLaunch, TestConnections } from '../fixtures/connections.js';
import {
  type BenchScale,
  comparePaired,
  type Figure,
  measureAlone,
  timed,
} from './connections/figures.js';

const placements = 4;
const frameCount = 10_000;

export async function runBench({ scale }: BenchScale): Promise<readonly Figure[]> {
  return [...(await benchCalls(scale)), ...(await benchRing(scale))];
}

async function benchCalls(scale: number): Promise<readonly Figure[]> {
  const connections = new TestConnections();
  const recording = new Recording(systemClock);
  const launch = stdioLaunch(process.execPath, [
    resolve('test/bench/servers/benchServer.mjs'),
    '--tools=1',
  ]);
  const plain: McpConnection[] = [];
  const tapped: McpConnection[] = [];
  try {
    for (let count = 0; count < placements; count++) {
      plain.push(await connections.open(launch));
      const openTap = recording.open.bind(recording);
      tapped.push(await connections.open(launch, { openTap }));
    }
    const rounds = Math.max(placements, Math.round(120 * scale));
    const figures: Figure[] = [];
    for (const inFlight of [1, 32]) {
      let turn = 0;
      const next = (all: readonly McpConnection[]) =>
        all[Math.floor(turn++ / 2) % placements] as McpConnection;
      const shared = { baseline: 'without a tap', isBestCounted: inFlight === 1 };
      figures.push(
        await comparePaired(
          { ...shared, name: `call with a tap, ${inFlight} in flight`, unit: 'µs', target: 1.05 },
          rounds,
          () => block(next(plain), 384, inFlight),
          () => block(next(tapped), 384, inFlight),
        ),
      );
    }
    return figures;
  } finally {
    await connections.closeAll();
    await recording.dispose();
  }
}

/** Microseconds per call. */
async function block({ session }: McpConnection, count: number, inFlight: number): Promise<number> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      await session.callTool('echo', { message: 'hello' }, requestOptions);
    }
  };
  const ms = await timed(() => Promise.all(Array.from({ length: inFlight }, worker)));
  return (ms * 1000) / count;
}

async function benchRing(scale: number): Promise<readonly Figure[]> {
  const rounds = Math.max(3, Math.round(20 * scale));
  const fill = () => {
    const recording = new Recording(systemClock);
    const tap = recording.open('stdio', (text) => text);
    for (let id = 0; id < frameCount; id++) {
      tap.message(id % 2 ? 'received' : 'sent', {
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'echo', arguments: { message: `hello ${id}` } },
      });
    }
    return recording;
  };
  return [
    await measureAlone(
      { name: `pass ${frameCount} frames by a recording`, unit: 'ms' },
      rounds,
      async () => timed(async () => fill()),
    ),
    await measureAlone(
      { name: `store the ${maxRecords} frames that are left of them`, unit: 'ms', target: 250 },
      rounds,
      async () => {
        const recording = fill();
        return timed(async () => recording.records);
      },
    ),
  ];
}
