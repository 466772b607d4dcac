/** Beside the peer, `pi-mcp-adapter`, in the same run: what one call, connecting and opening a window cost. */
import {
  type AdapterFactory,
  type AdapterSession,
  loadAdapter,
  withAdapterHome,
} from './connections/adapter.js';
import {
  type BenchScale,
  comparePaired,
  type Figure,
  sequentially,
  timed,
} from './connections/figures.js';
import {
  CoreHome,
  type StdioEntry,
  shownTools,
  slowEntry,
  stdioEntry,
  withCore,
} from './connections/parties.js';

interface AdapterScale extends BenchScale {
  /** The adapter as one module, or why there is none. */
  readonly adapter: { readonly path: string } | { readonly reason: string };
}

type Entries = Readonly<Record<string, StdioEntry>>;

const baseline = 'pi-mcp-adapter';
const callsInBlock = 128;
/** 20 ms on the machine where the adapter needs 41 ms. */
const coldStartTarget = 20 / 41;

export async function runBench({ scale, adapter }: AdapterScale): Promise<readonly Figure[]> {
  if ('reason' in adapter) {
    console.log(
      `Skipped what is measured beside ${baseline}, which is not there: ${adapter.reason}`,
    );
    return [];
  }
  const factory = await loadAdapter(adapter.path);
  const rounds = (count: number) => Math.max(3, Math.round(count * scale));
  return [
    ...(
      await sequentially([1, 200, 1000], (tools) => benchCalls(factory, tools, rounds(60)))
    ).flat(),
    ...(await sequentially([1, 10, 30], (count) =>
      benchConnect(factory, `connect ${count} servers`, entries(count, stdioEntry()), rounds(6)),
    )),
    await benchConnect(
      factory,
      '8 servers that take 500 ms to start',
      entries(8, slowEntry(0.5)),
      rounds(6),
    ),
    await benchColdStart(factory, rounds(15)),
  ];
}

function entries(count: number, entry: StdioEntry): Entries {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`server${index}`, entry]));
}

async function benchCalls(
  adapter: AdapterFactory,
  tools: number,
  rounds: number,
): Promise<readonly Figure[]> {
  const entry = stdioEntry(`--tools=${tools}`);
  const tool = tools === 1 ? 'echo' : `tool_${tools - 1}`;
  const args = { message: 'hello' };
  return withAdapterHome({ server0: { ...entry, directTools: true } }, async (open) => {
    // the first session fills the cache that the tools of the second one come from
    await connect(await open(adapter), ['server0']);
    const session = await open(adapter);
    return withCore({ server0: entry }, async ({ server }) => {
      const ours = server('server0');
      await Promise.all([ours.ensureConnected(), session.call(`server0_${tool}`, args)]);
      return sequentially([1, 32], (inFlight) =>
        comparePaired(
          { name: `call over stdio, ${tools} tools, ${inFlight} in flight`, unit: 'µs', baseline },
          rounds,
          () => block(() => session.call(`server0_${tool}`, args), inFlight),
          () => block(() => ours.callTool(tool, args), inFlight),
        ),
      );
    });
  });
}

/** Microseconds per call. */
async function block(call: () => Promise<unknown>, inFlight: number): Promise<number> {
  let left = callsInBlock;
  const worker = async () => {
    while (left-- > 0) {
      await call();
    }
  };
  const ms = await timed(() => Promise.all(Array.from({ length: inFlight }, worker)));
  return (ms * 1000) / callsInBlock;
}

/** From an empty home until the last server is connected. */
function benchConnect(
  adapter: AdapterFactory,
  name: string,
  servers: Entries,
  rounds: number,
): Promise<Figure> {
  const names = Object.keys(servers);
  return comparePaired(
    { name, unit: 'ms', baseline },
    rounds,
    () =>
      withAdapterHome(servers, (open) => timed(async () => connect(await open(adapter), names))),
    () =>
      withHome(servers, (home) =>
        timed(async () => {
          const { service, server } = home.open('manual');
          await service.whenStarted();
          await Promise.all(names.map((id) => server(id).ensureConnected()));
        }),
      ),
  );
}

async function connect(session: AdapterSession, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => session.call('mcp', { connect: name })));
}

/** Closes what `work` opens. */
async function withHome<T>(servers: Entries, work: (home: Home) => Promise<T>): Promise<T> {
  const root = await CoreHome.create(servers);
  const opened: ReturnType<CoreHome['open']>[] = [];
  const home: Home = {
    open: (policy) => {
      const core = root.open(policy);
      opened.push(core);
      return core;
    },
  };
  try {
    return await work(home);
  } finally {
    await Promise.all(opened.map((core) => core.close()));
    await root.dispose();
  }
}

type Home = Pick<CoreHome, 'open'>;

/** A window that opens with 100 known servers of 50 tools each, and starts none; names and descriptions are read. */
async function benchColdStart(adapter: AdapterFactory, rounds: number): Promise<Figure> {
  const servers = entries(100, stdioEntry('--tools=50'));
  const names = Object.keys(servers);
  return withAdapterHome(servers, async (open) => {
    const first = await open(adapter);
    await connect(first, names);
    await first.close();
    return withHome(servers, async (home) => {
      const learning = home.open();
      await learning.service.whenStarted();
      await learning.close();
      return comparePaired(
        {
          name: 'cold start from the cache, 100 servers × 50 tools',
          unit: 'ms',
          baseline,
          target: coldStartTarget,
        },
        rounds,
        () => timed(() => open(adapter)),
        async () => {
          const core = home.open();
          const ms = await timed(async () => {
            await core.service.whenStarted();
            shownTools(core);
          });
          await core.close();
          return ms;
        },
      );
    });
  });
}
