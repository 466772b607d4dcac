/** What requests of a conversation used, as Pi's file has it. Pure. */
import type { SpentView } from '../../protocol/context.js';
import type { PiSessionEntry } from '../pi/piModule.js';

interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cost: { readonly total: number };
}

const nothing: SpentView = { requests: 0, sent: 0, cached: 0, received: 0, cost: 0 };

/** @param entries whole conversation, or a part of it */
export function spentIn(entries: Iterable<PiSessionEntry>): SpentView {
  let sum = nothing;
  for (const entry of entries) {
    const usage = usageOf(entry);
    if (usage) {
      const { input, output, cacheRead, cacheWrite, cost } = usage;
      sum = {
        requests: sum.requests + 1,
        sent: sum.sent + input + cacheRead + cacheWrite,
        cached: sum.cached + cacheRead,
        received: sum.received + output,
        cost: sum.cost + cost.total,
      };
    }
  }
  return sum;
}

/** Of the run that the latest message of the user began. @param branch oldest first */
export function spentLast(branch: readonly PiSessionEntry[]): SpentView | undefined {
  const from = branch.findLastIndex(isRequest);
  const spent = from === -1 ? nothing : spentIn(branch.slice(from + 1));
  return spent.requests > 0 ? spent : undefined;
}

export function countRequests(entries: readonly PiSessionEntry[]): number {
  return entries.filter(isRequest).length;
}

function isRequest(entry: PiSessionEntry): boolean {
  return entry.type === 'message' && entry.message.role === 'user';
}

function usageOf(entry: PiSessionEntry): Usage | undefined {
  switch (entry.type) {
    case 'message':
      return entry.message.role === 'assistant' ? entry.message.usage : undefined;
    case 'compaction':
    case 'branch_summary':
    case 'usage':
      return entry.usage;
    default:
      return undefined;
  }
}
