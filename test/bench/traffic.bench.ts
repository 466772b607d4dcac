/** What it costs that all traffic is recorded, and what a full recording takes. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { McpConnection } from '../../src/mcp/connection/mcpConnection.js';
import { maxRecords, Recording } from '../../src/mcp/traffic/recording.js';
import { importRecording } from '../../src/mcp/traffic/recordingFile.js';
import { systemClock } from '../../src/platform/clock.js';
import { InspectorModel } from '../../src/presentation/inspector/inspectorModel.js';
import { requestOptions, stdioLaunch, TestConnections } from '../fixtures/connections.js';
import type { startPreview as startPreviewType } from '../workbench/preview/harness.mjs';
import type * as inspectorStatesType from '../workbench/preview/inspectorStates.mjs';
import {
  type BenchScale,
  comparePaired,
  type Figure,
  measureAlone,
  timed,
  usedHeap,
} from './connections/figures.js';

const placements = 4;

const frameCount = 10_000;

export async function runBench({ scale }: BenchScale): Promise<readonly Figure[]> {
  return [
    ...(await benchCalls(scale)),
    ...(await benchRing(scale)),
    await benchMemory(scale),
    await benchPage(),
  ];
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

/** Of a recording that somebody imported and looks at. */
async function benchMemory(scale: number): Promise<Figure> {
  const frame = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'echo' } };
  const lines = Array.from({ length: frameCount }, (_, index) => {
    const id = Math.floor(index / 2);
    const answer = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'hello' }] } };
    const [dir, message] = index % 2 ? ['received', answer] : ['sent', { ...frame, id }];
    return JSON.stringify({ t: index, gen: 1, dir, frame: message });
  });
  const text = ['{"piMcpRecording":1,"server":"bench"}', ...lines].join('\n');
  return measureAlone(
    { name: `heap of an Inspector on ${frameCount} frames`, unit: 'MB', target: 40 },
    Math.max(3, Math.round(5 * scale)),
    async () => {
      const before = await usedHeap();
      const model = new InspectorModel(importRecording(text));
      const after = await usedHeap();
      model.dispose();
      return (after - before) / 1024 / 1024;
    },
  );
}

const framesOfScroll = 120;

/** Milliseconds between two frames of a page that is scrolled through {@link frameCount} entries. */
async function benchPage(): Promise<Figure> {
  // a browser is no part of a bundle
  const load = (file: string) =>
    import(pathToFileURL(resolve('test/workbench/preview', file)).href);
  const { startPreview }: { startPreview: typeof startPreviewType } = await load('harness.mjs');
  const states: typeof inspectorStatesType = await load('inspectorStates.mjs');
  const preview = await startPreview();
  try {
    const ready = { ...states.inspectorReplies.ready, rows: states.manyRows(frameCount) };
    const replies = { ...states.inspectorReplies, ready };
    const page = await preview.open({ page: 'inspector', replies });
    await page.locator('.row').first().waitFor();
    const times = await page.evaluate(async (count) => {
      const list = document.querySelector('#timeline');
      const between: number[] = [];
      const nextFrame = () => new Promise<number>((done) => requestAnimationFrame(done));
      let last = await nextFrame();
      for (let step = 0; step < count && list; step++) {
        list.scrollTop = ((step * 7919) % 9_900) * 26;
        const now = await nextFrame();
        between.push(now - last);
        last = now;
      }
      return between.sort((a, b) => a - b);
    }, framesOfScroll);
    const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
    return {
      name: `frame of the Inspector's page, scrolled through ${frameCount} entries`,
      unit: 'ms',
      value: at(0.5),
      spread: [at(0.1), at(0.9)],
      max: at(1),
      rounds: framesOfScroll,
      target: 34,
    };
  } finally {
    await preview.close();
  }
}
