import { expect, it, vi } from 'vitest';
import { stopTree } from '../../../../src/platform/process/stopTree.js';
import type { ProcessTree } from '../../../../src/platform/process/tree.js';

it('ends who withstands, and who is only found then, also where each look takes longer than all of the time', async () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const running = new Set(['group', 'stray']);
  const sent: string[] = [];
  const tree: Partial<ProcessTree> = {
    endsAtOnce: false,
    isSuspended: async () => false,
    isAlive: async () => {
      now += 5000;
      return running.size > 0;
    },
    signal: async (_root, signal) => {
      const [first = ''] = running;
      sent.push(`${signal} ${first}`);
      if (signal === 'SIGKILL') {
        running.delete(first);
      }
      return 'sent';
    },
  };
  const outcome = await stopTree({ pid: 7 }, tree as ProcessTree, { graceMs: () => 0 });
  expect(outcome).toBe('killed');
  expect(new Set(sent)).toEqual(new Set(['SIGTERM group', 'SIGKILL group', 'SIGKILL stray']));
  expect(running.size).toBe(0);
});
