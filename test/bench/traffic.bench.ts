/** What it costs that all traffic is recorded, and what a full recording takes. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '../../src/base/json.js';
import type { ResolvedLaunch } from '../../src/config/definition.js';
import type { ConnectionTap } from '../../src/mcp/connection/connectionTap.js';
import type { HttpStep } from '../../src/mcp/connection/http/exchangeTap.js';
import type { McpConnection } from '../../src/mcp/connection/mcpConnection.js';
import { Recording } from '../../src/mcp/traffic/recording.js';
import { importRecording } from '../../src/mcp/traffic/recordingFile.js';
import { maxRecords } from '../../src/mcp/traffic/waitingRecords.js';
import type { TrafficDirection } from '../../src/mcp/trafficTypes.js';
import { systemClock } from '../../src/platform/clock.js';
import { InspectorModel } from '../../src/presentation/inspector/inspectorModel.js';
import {
  callForResult,
  httpLaunch,
  requestOptions,
  stdioLaunch,
  TestConnections,
} from '../fixtures/connections.js';
import type { startStage as startStageType } from '../helpers/pages/stage.mjs';
import type * as inspectorStatesType from '../helpers/pages/states/inspector.mjs';
import {
  type BenchScale,
  collectYoung,
  comparePaired,
  type Figure,
  measureAlone,
  timed,
  usedHeap,
} from './connections/figures.js';
import { startHttpServer } from './connections/parties.js';

const frameCount = 10_000;

export async function runBench({ scale }: BenchScale): Promise<readonly Figure[]> {
  return [
    ...(await benchCalls(scale)),
    ...(await benchRing(scale)),
    await benchMemory(scale),
    await benchPage(),
  ];
}

/**
 * Over stdio of one connection, whose tap is turned on and off: the processes of two are placed differently by the system,
 * which is more than what is measured.
 */
async function benchCalls(scale: number): Promise<readonly Figure[]> {
  const script = resolve('test/bench/servers/benchServer.mjs');
  const remote = await startHttpServer();
  try {
    const stdio = stdioLaunch(process.execPath, [script, '--tools=1']);
    return [
      ...(await benchLaunch('over stdio', stdio, 1_000, scale)),
      ...(await benchLaunch('over HTTP', httpLaunch(remote.url), 64, scale / 4)),
    ];
  } finally {
    await remote.stop();
  }
}

/** @param count calls of a block with 32 in flight */
async function benchLaunch(
  where: string,
  launch: ResolvedLaunch,
  count: number,
  scale: number,
): Promise<readonly Figure[]> {
  const connections = new TestConnections();
  const recording = new Recording(systemClock);
  try {
    const tap = new SwitchedTap(recording.open(launch.kind, (text) => text));
    const tapped = await connections.open(launch, { openTap: () => tap });
    const plain = launch.kind === 'http' ? await connections.open(launch) : tapped;
    const figures: Figure[] = [];
    for (const inFlight of [1, 32]) {
      const measure = (isOn: boolean) => async () => {
        tap.isOn = isOn;
        return block(isOn ? tapped : plain, inFlight === 1 ? count / 8 : count, inFlight);
      };
      figures.push(
        await comparePaired(
          {
            name: `call ${where} with a tap, ${inFlight} in flight`,
            baseline: 'without a tap',
            unit: 'µs',
            target: 1.05,
          },
          Math.max(20, Math.round(600 * scale)),
          measure(false),
          measure(true),
        ),
      );
    }
    return figures;
  } finally {
    await connections.closeAll();
    await recording.dispose();
  }
}

class SwitchedTap implements ConnectionTap {
  isOn = false;

  constructor(private readonly inner: ConnectionTap) {}

  message(direction: TrafficDirection, message: JsonObject, text?: string): void {
    if (this.isOn) {
      this.inner.message(direction, message, text);
    }
  }

  http(step: HttpStep): void {
    if (this.isOn) {
      this.inner.http(step);
    }
  }

  stderr(line: string): void {
    this.inner.stderr(line);
  }

  connected(facts: Parameters<ConnectionTap['connected']>[0]): void {
    this.inner.connected(facts);
  }

  closed(error: string | undefined): void {
    this.inner.closed(error);
  }
}

/** Microseconds per call, with the garbage that they made. */
async function block({ session }: McpConnection, count: number, inFlight: number): Promise<number> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      await callForResult(session, 'echo', { message: 'hello' }, requestOptions);
    }
  };
  const ms = await timed(async () => {
    await Promise.all(Array.from({ length: inFlight }, worker));
    collectYoung();
  });
  return (ms * 1000) / count;
}

async function benchRing(scale: number): Promise<readonly Figure[]> {
  const rounds = Math.max(3, Math.round(20 * scale));
  const frames = Array.from({ length: frameCount }, (_, id) => {
    const params = { name: 'echo', arguments: { message: `hello ${id}` } };
    const message = { jsonrpc: '2.0', id, method: 'tools/call', params };
    return { message, text: JSON.stringify(message) };
  });
  const fill = () => {
    const recording = new Recording(systemClock);
    const tap = recording.open('stdio', (text) => text);
    tap.connected({ transport: 'stdio', pid: undefined });
    for (const [index, { message, text }] of frames.entries()) {
      tap.message(index % 2 ? 'received' : 'sent', message, text);
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
  const load = (file: string) => import(pathToFileURL(resolve('test/helpers/pages', file)).href);
  const { startStage }: { startStage: typeof startStageType } = await load('stage.mjs');
  const states: typeof inspectorStatesType = await load('states/inspector.mjs');
  const preview = await startStage();
  try {
    const ready = { ...states.inspectorReplies.ready, rows: states.manyRows(frameCount) };
    const replies = { ...states.inspectorReplies, ready };
    const page = await preview.open({ page: 'server', replies });
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
      name: `frame of the list of traffic, scrolled through ${frameCount} entries`,
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
