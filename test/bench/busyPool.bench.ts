import { startPoolLoad } from '../helpers/load.js';
import {
  type BenchScale,
  comparePaired,
  type Figure,
  sequentially,
  timed,
} from './connections/figures.js';
import { type OpenCore, stdioEntry, withCore } from './connections/parties.js';

/** As many as other extensions that read files at the same time; Node has four threads for them. */
const jobs = 8;

interface Action {
  readonly name: string;
  readonly prepare: (core: OpenCore) => Promise<unknown>;
  readonly run: (core: OpenCore) => Promise<unknown>;
  /** How many times as long it may take beside the jobs, which also take the processors. */
  readonly target: number;
}

const actions: readonly Action[] = [
  {
    name: 'stop',
    prepare: ({ server }) => server('one').ensureConnected(),
    run: ({ server }) => server('one').stop(),
    target: 4,
  },
  {
    name: 'connect',
    prepare: ({ server }) => server('one').stop(),
    run: ({ server }) => server('one').ensureConnected(),
    target: 6,
  },
  {
    name: 'first call',
    prepare: ({ server }) => server('one').stop(),
    run: ({ server }) => server('one').callTool('echo', { text: 'a' }),
    target: 6,
  },
];

/** What a user waits for while other extensions fill the threads of Node. */
export async function runBench({ scale }: BenchScale): Promise<readonly Figure[]> {
  return withCore({ one: stdioEntry() }, (core) =>
    sequentially(actions, ({ name, prepare, run, target }) =>
      comparePaired(
        {
          name: `${name} while ${jobs} jobs fill the thread pool`,
          unit: 'ms',
          target,
          baseline: 'the same with an idle pool, ours',
        },
        Math.max(3, Math.round(12 * scale)),
        async () => {
          await prepare(core);
          return timed(() => run(core));
        },
        async () => {
          await prepare(core);
          const load = startPoolLoad(jobs);
          try {
            return await timed(() => run(core));
          } finally {
            await load.stop();
          }
        },
      ),
    ),
  );
}
