/** What a direct call costs this process, beside the raw SDK: a ratio that no load of the machine changes much. */
import { comparePaired, processorTime } from './figures.js';
import { openRaw, stdioEntry, withCore } from './parties.js';

const pairs = 30;
const callsOfBlock = 200;

/** Median of the ratios of interleaved pairs. @param times how often ours calls where the raw SDK calls once */
export async function measureCallCost(times = 1): Promise<number> {
  const raw = await openRaw(stdioEntry());
  try {
    return await withCore({ one: stdioEntry() }, async ({ server }) => {
      const ours = server('one');
      await ours.ensureConnected();
      const args = { message: 'hello' };
      const { ratio = Number.NaN } = await comparePaired(
        { name: 'call', unit: 'µs' },
        pairs,
        () => block(callsOfBlock, () => raw.callTool({ name: 'echo', arguments: args })),
        () => block(times * callsOfBlock, () => ours.callTool('echo', args)),
      );
      return ratio;
    });
  } finally {
    await raw.close();
  }
}

function block(count: number, call: () => Promise<unknown>): Promise<number> {
  return processorTime(async () => {
    for (let done = 0; done < count; done++) {
      await call();
    }
  });
}
