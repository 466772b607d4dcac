import {
  type BenchScale,
  comparePaired,
  type Figure,
  processorTime,
  sequentially,
  timed,
} from './connections/figures.js';
import {
  openRaw,
  openRawFirst,
  ownSession,
  type RawClient,
  type StdioEntry,
  startHttpServer,
  stdioEntry,
  withCore,
} from './connections/parties.js';

type Call = (message: string) => Promise<unknown>;
type Target = StdioEntry | { readonly url: string };

interface Wire {
  readonly kind: 'stdio' | 'http';
  /** In the names of the figures. */
  readonly name: string;
  readonly flags: readonly string[];
}

const wires: readonly Wire[] = [
  { kind: 'stdio', name: 'stdio', flags: [] },
  { kind: 'http', name: 'http', flags: [] },
  { kind: 'http', name: 'http, answers as streams', flags: ['--event-stream'] },
];
/** A client and its server settle somewhere on the processors, so several of them are measured. */
const placements = 4;

/** Latency of one call, by transport, size of the catalog and calls in flight. The tool is the catalog's last one. */
export async function runBench({ scale }: BenchScale): Promise<readonly Figure[]> {
  const figures = await sequentially(wires, (wire) =>
    sequentially([1, 200, 1000], (tools) => benchServer(wire, tools, scale)),
  );
  return [...figures.flat(2), ...(await benchNoise(scale)), ...(await benchBaselines(scale))];
}

async function benchServer(wire: Wire, tools: number, scale: number): Promise<readonly Figure[]> {
  const rounds = Math.max(placements, Math.round(120 * scale));
  return withParties(wire, tools, (parties) =>
    sequentially([1, 32], (inFlight) => {
      const turn = turns(parties);
      return comparePaired(
        {
          name: `call over ${wire.name}, ${tools} tools, ${inFlight} in flight`,
          unit: 'µs',
          target: 1.1,
          isBestCounted: isPlaced(wire, inFlight),
        },
        rounds,
        () => block(turn.base().raw, callsOf(wire, inFlight), inFlight),
        () => block(turn.ours().ours, callsOf(wire, inFlight), inFlight),
      );
    }).then(async (figures) => {
      const turn = turns(parties);
      const name = `processor time of a call over ${wire.name}, ${tools} tools`;
      const count = callsOf(wire, 1);
      return [
        ...figures,
        await comparePaired(
          { name, unit: 'µs' },
          Math.round(rounds / 2),
          () => perCall(turn.base().raw, count),
          () => perCall(turn.ours().ours, count),
        ),
      ];
    }),
  );
}

/** What the figures above would be if both sides were the same. */
function benchNoise(scale: number): Promise<readonly Figure[]> {
  return sequentially(
    [wires[0], wires[1]].filter((wire) => wire !== undefined),
    (wire) =>
      withParties(wire, 200, (parties) => {
        const turn = turns(parties);
        return comparePaired(
          {
            name: `the raw SDK against itself, ${wire.name}, 1 in flight`,
            unit: 'µs',
            isBestCounted: isPlaced(wire, 1),
          },
          Math.round(120 * scale),
          () => block(turn.base().raw, callsOf(wire, 1), 1),
          () => block(turn.ours().raw, callsOf(wire, 1), 1),
        );
      }),
  );
}

/** Other ways to use a raw SDK, to know what the choice of the baseline does. */
async function benchBaselines(scale: number): Promise<readonly Figure[]> {
  const rounds = Math.round(120 * scale);
  const [stdio, http] = wires;
  if (!stdio || !http) {
    return [];
  }
  const first = await withParties(
    http,
    200,
    (parties) =>
      sequentially([1, 32], (inFlight) => {
        const turn = turns(parties);
        return comparePaired(
          {
            name: `call over http, 200 tools, ${inFlight} in flight, other generation`,
            unit: 'µs',
            baseline: 'raw SDK 1.x',
          },
          rounds,
          () => block(turn.base().raw, callsOf(http, inFlight), inFlight),
          () => block(turn.ours().ours, callsOf(http, inFlight), inFlight),
        );
      }),
    openRawFirst,
  );
  const shared = await withParties(
    stdio,
    200,
    (parties) => {
      const turn = turns(parties);
      return comparePaired(
        {
          name: 'call over stdio, 200 tools, 1 in flight, scheduled with us',
          unit: 'µs',
          baseline: "raw SDK, server in the client's own session",
          isBestCounted: isPlaced(stdio, 1),
        },
        rounds,
        () => block(turn.base().raw, callsOf(stdio, 1), 1),
        () => block(turn.ours().ours, callsOf(stdio, 1), 1),
      );
    },
    openRaw,
  );
  return [...first, shared];
}

interface Parties {
  readonly raw: Call;
  readonly ours: Call;
}

/** Both sides of a pair take the same parties; each pair takes the next ones. */
function turns(parties: readonly Parties[]) {
  const next = () => {
    let count = 0;
    return () => parties[count++ % parties.length] as Parties;
  };
  return { base: next(), ours: next() };
}

async function withParties<T>(
  { kind, flags }: Wire,
  tools: number,
  work: (parties: readonly Parties[]) => Promise<T>,
  open: (target: Target) => Promise<RawClient> = openComparable,
): Promise<T> {
  const allFlags = [`--tools=${tools}`, ...flags];
  const name = tools === 1 ? 'echo' : `tool_${tools - 1}`;
  const http = kind === 'http' ? await startHttpServer(...allFlags) : undefined;
  const target = http ? { url: http.url } : stdioEntry(...allFlags);
  const count = http ? 1 : placements;
  const entries = Array.from({ length: count }, (_, index) => [`bench${index}`, target] as const);
  const clients = await sequentially(entries, () => open(target));
  try {
    return await withCore(Object.fromEntries(entries), async ({ server }) => {
      const parties = await sequentially(entries, async ([id], index) => {
        const ours = server(id);
        await ours.ensureConnected();
        const raw = clients[index] as RawClient;
        return {
          raw: (message: string) => raw.callTool({ name, arguments: { message } }),
          ours: (message: string) => ours.callTool(name, { message }),
        };
      });
      return work(parties);
    });
  } finally {
    await Promise.all(clients.map((client) => client.close()));
    await http?.stop();
  }
}

/**
 * Our servers lead sessions of their own, so that none of their processes survives, and Linux schedules processes of
 * one session together: without this the figures would be of the scheduler and not of the client.
 */
function openComparable(target: Target): Promise<RawClient> {
  return openRaw('url' in target ? target : ownSession(target));
}

/** Two processes that wait for each other in turn: where they run decides, and not what they do. */
function isPlaced({ kind }: Wire, inFlight: number): boolean {
  return kind === 'stdio' && inFlight === 1;
}

function callsOf({ kind }: Wire, inFlight: number): number {
  return (kind === 'stdio' ? 128 : 32) * (inFlight === 1 ? 1 : 3);
}

/** Microseconds of the processor per call. */
async function perCall(call: Call, count: number): Promise<number> {
  return (await processorTime(() => block(call, count, 1))) / count;
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
