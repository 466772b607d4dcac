import { onceEvent } from '../../src/base/event.js';
import type { McpServer } from '../../src/mcp/mcpApi.js';
import {
  type BenchScale,
  comparePaired,
  type Figure,
  longestStall,
  measureAlone,
  median,
  sequentially,
  timed,
} from './connections/figures.js';
import {
  openRaw,
  type RawClient,
  type StdioEntry,
  slowEntry,
  stdioEntry,
  withCore,
} from './connections/parties.js';

/** Connecting, listing and reconnecting. */
export async function runBench({ scale }: BenchScale): Promise<readonly Figure[]> {
  const rounds = (count: number) => Math.max(3, Math.round(count * scale));
  return [
    ...(await sequentially([1, 10, 30], (count) =>
      comparePaired(
        { name: `connect ${count} servers`, unit: 'ms' },
        rounds(count === 1 ? 20 : 8),
        () => connectRaw(entries(count, stdioEntry())),
        () => connectOurs(entries(count, stdioEntry())),
      ),
    )),
    await comparePaired(
      {
        name: '8 servers that take 500 ms to start',
        unit: 'ms',
        target: 1.15,
        baseline: 'slowest one alone, raw SDK',
      },
      rounds(8),
      () => connectRaw(entries(1, slowEntry(0.5))),
      () => connectOurs(entries(8, slowEntry(0.5))),
    ),
    await comparePaired(
      {
        name: '9 servers beside a hung one',
        unit: 'ms',
        target: 1.1,
        baseline: '9 servers alone, ours',
      },
      rounds(12),
      () => connectOurs(entries(9, slowEntry(0.1))),
      () => connectOurs(entries(9, slowEntry(0.1)), { hung: slowEntry('hang') }),
    ),
    ...(await benchLargeList(rounds(5))),
    await benchReconnect(rounds(30)),
    ...(await benchNotice(scale)),
  ];
}

function entries(count: number, entry: StdioEntry): Record<string, StdioEntry> {
  const names = Array.from({ length: count }, (_, index) => `server${index}`);
  return Object.fromEntries(names.map((name) => [name, entry]));
}

async function connectRaw(servers: Record<string, StdioEntry>): Promise<number> {
  let clients: readonly RawClient[] = [];
  const ms = await timed(async () => {
    clients = await Promise.all(Object.values(servers).map((entry) => openRaw(entry)));
  });
  await Promise.all(clients.map((client) => client.close()));
  return ms;
}

/** Until all of `servers` are connected, whatever the others do. */
function connectOurs(
  servers: Record<string, StdioEntry>,
  others: Record<string, StdioEntry> = {},
): Promise<number> {
  return withCore({ ...others, ...servers }, async ({ server }) => {
    for (const name of Object.keys(others)) {
      void server(name)
        .ensureConnected()
        .catch(() => undefined);
    }
    return timed(() =>
      Promise.all(Object.keys(servers).map((name) => server(name).ensureConnected())),
    );
  });
}

async function benchLargeList(rounds: number): Promise<readonly Figure[]> {
  const entry = stdioEntry('--tools=5000', '--output-schemas');
  const rawStalls: number[] = [];
  const raw = async () => {
    let ms = 0;
    rawStalls.push(
      await longestStall(async () => {
        ms = await connectRaw({ raw: entry });
      }),
    );
    return ms;
  };
  const ourStalls: number[] = [];
  const ours = async () => {
    let ms = 0;
    ourStalls.push(
      await longestStall(async () => {
        ms = await connectOurs({ ours: entry });
      }),
    );
    return ms;
  };
  const name = 'connect and list 5,000 tools with output schemas';
  const total = await comparePaired({ name, unit: 'ms' }, rounds, raw, ours);
  return [
    total,
    {
      name: `longest event-loop stall: ${name}`,
      unit: 'ms',
      value: median(ourStalls),
      spread: [Math.min(...ourStalls), Math.max(...ourStalls)],
      rounds: ourStalls.length,
      target: 100,
    },
    {
      name: `the same with the raw SDK`,
      unit: 'ms',
      value: median(rawStalls),
      spread: [Math.min(...rawStalls), Math.max(...rawStalls)],
      rounds: rawStalls.length,
    },
  ];
}

async function benchReconnect(rounds: number): Promise<Figure> {
  let raw = await openRaw(stdioEntry());
  try {
    return await withCore(entries(1, stdioEntry()), async ({ server }) => {
      const ours = server('server0');
      await ours.ensureConnected();
      return comparePaired(
        { name: 'stop, connect again and list', unit: 'ms' },
        rounds,
        () =>
          timed(async () => {
            await raw.close();
            raw = await openRaw(stdioEntry());
          }),
        () => timed(() => ours.restart()),
      );
    });
  } finally {
    await raw.close();
  }
}

/** How long a state lies after its process is gone. */
async function benchNotice(scale: number): Promise<readonly Figure[]> {
  return withCore(entries(1, stdioEntry()), async ({ server }) => {
    const ours = server('server0');
    const notice = async () => {
      await ours.ensureConnected();
      const pid = pidOf(ours);
      const noticed = onceEvent(ours.state.onDidChange, ({ kind }) => kind === 'error');
      return timed(async () => {
        process.kill(pid, 'SIGKILL');
        await noticed;
      });
    };
    const name = 'a killed process shows as error after';
    return [await measureAlone({ name, unit: 'ms', target: 250 }, Math.max(5, 20 * scale), notice)];
  });
}

function pidOf({ state }: McpServer): number {
  return state.value.kind === 'connected' ? (state.value.pid ?? 0) : 0;
}
