/** What a reconnect leaves behind. */
import { type BenchScale, type Figure, median, usedHeap } from './connections/figures.js';
import {
  openRaw,
  type StdioEntry,
  startHttpServer,
  stdioEntry,
  withCore,
} from './connections/parties.js';
import { callWithoutCompilers } from './connections/withoutCompilers.js';

const warmUps = 50;
const parts = 3;
/** Far below the smallest object that a connection consists of. */
const maxBytes = 200;

type Entry = StdioEntry | { readonly url: string };

/** Bytes a reconnect in each part of a run. */
interface Growth {
  readonly ours: readonly number[];
  readonly raw: readonly number[];
}

export async function runBench({ scale }: BenchScale): Promise<readonly Figure[]> {
  const reconnects = Math.max(100, Math.round(300 * scale));
  const http = await startHttpServer();
  try {
    const growth = (entry: Entry) =>
      callWithoutCompilers<Growth>(__filename, 'measureGrowth', entry, reconnects);
    return [
      ...figures('stdio', growth(stdioEntry()), reconnects),
      ...figures('HTTP', growth({ url: http.url }), reconnects),
    ];
  } finally {
    await http.stop();
  }
}

function figures(over: string, { ours, raw }: Growth, rounds: number): readonly Figure[] {
  const name = `heap that a reconnect over ${over} leaves, without compilers`;
  return [
    { ...figure(`${name}, raw SDK`, raw), rounds },
    { ...figure(name, ours), rounds, target: maxBytes },
  ];
}

function figure(name: string, growth: readonly number[]) {
  return {
    name,
    unit: 'bytes',
    value: median(growth),
    spread: [Math.min(...growth), Math.max(...growth)],
  } as const;
}

/** In a process of its own. */
export async function measureGrowth(entry: Entry, reconnects: number): Promise<Growth> {
  const raw = await growthOf(reconnects, async () => (await openRaw(entry)).close());
  const ours = await withCore({ server: entry }, ({ server, service }) =>
    growthOf(reconnects, async () => {
      await server('server').ensureConnected();
      await server('server').stop();
      // up to a bound, what passed is kept for the Inspector
      service.traffic.of(server('server').id).clear();
    }),
  );
  return { ours, raw };
}

/** Once everything has run that runs with each. */
async function growthOf(
  reconnects: number,
  reconnect: () => Promise<void>,
): Promise<readonly number[]> {
  const repeat = async (times: number) => {
    for (let count = 0; count < times; count++) {
      await reconnect();
    }
    return usedHeap();
  };
  let before = await repeat(warmUps);
  const growth: number[] = [];
  const times = Math.ceil(reconnects / parts);
  for (let part = 0; part < parts; part++) {
    const after = await repeat(times);
    growth.push((after - before) / times);
    before = after;
  }
  return growth;
}
