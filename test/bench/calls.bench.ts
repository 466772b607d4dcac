import { type BenchScale, comparePaired, type Figure, timed } from './connections/figures.js';
import { openRaw, startHttpServer, stdioEntry, withCore } from './connections/parties.js';

type Call = (message: string) => Promise<unknown>;

/** Latency of one call, by transport, size of the catalog and calls in flight. */
export async function runBench({ scale }: BenchScale): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const kind of ['stdio', 'http'] as const) {
    for (const tools of [1, 200, 1000]) {
      figures.push(...(await benchServer(kind, tools, scale)));
    }
  }
  return figures;
}

async function benchServer(
  kind: 'stdio' | 'http',
  tools: number,
  scale: number,
): Promise<readonly Figure[]> {
  const flag = `--tools=${tools}`;
  const http = kind === 'http' ? await startHttpServer(flag) : undefined;
  const target = http ? { url: http.url } : stdioEntry(flag);
  const raw = await openRaw(target);
  try {
    return await withCore({ bench: target }, async ({ server }) => {
      const ours = server('bench');
      await ours.ensureConnected();
      const callRaw: Call = (message) => raw.callTool({ name: 'echo', arguments: { message } });
      const callOurs: Call = (message) => ours.callTool('echo', { message });
      const figures: Figure[] = [];
      for (const inFlight of [1, 32]) {
        const calls = (kind === 'stdio' ? 64 : 32) * (inFlight === 1 ? 2 : 8);
        const name = `call over ${kind}, ${tools} tools, ${inFlight} in flight`;
        figures.push(
          await comparePaired(
            { name, unit: 'µs', target: 1.1 },
            Math.round(60 * scale),
            () => block(callRaw, calls, inFlight),
            () => block(callOurs, calls, inFlight),
          ),
        );
      }
      figures.push(
        await comparePaired(
          { name: `processor time of a call over ${kind}, ${tools} tools`, unit: 'µs' },
          Math.round(60 * scale),
          () => processorTime(callRaw, 200),
          () => processorTime(callOurs, 200),
        ),
      );
      return figures;
    });
  } finally {
    await raw.close();
    await http?.stop();
  }
}

/** Microseconds per call of this process alone: unlike latency, no matter what else the machine does. */
async function processorTime(call: Call, count: number): Promise<number> {
  const before = process.cpuUsage();
  await block(call, count, 1);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/** Microseconds per call. */
async function block(call: Call, count: number, inFlight: number): Promise<number> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      await call('hello');
    }
  };
  const ms = await timed(() => Promise.all(Array.from({ length: inFlight }, worker)));
  return (ms * 1000) / count;
}
