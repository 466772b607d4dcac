import { expect, it } from 'vitest';
import { defaultOptions } from '../../../../src/config/schema/fields.js';
import type { RunningServer } from '../../../../src/mcp/service/runningServers.js';
import {
  duration,
  runningServerFacts,
  runningServerHolders,
} from '../../../../src/presentation/consent/runningServersText.js';
import { FakeServer, fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

function running(change: Partial<RunningServer> = {}): RunningServer {
  return {
    server: new FakeServer(fakeDefinition('one'), { kind: 'connecting' }),
    pid: 42,
    processCount: 3,
    memoryBytes: 50 * 1024 * 1024,
    uptimeMs: 61_000,
    activity: { restarts: 2, calls: 0, holders: [] },
    ...change,
  };
}

it('shows process, uptime, memory and restarts', () => {
  expect(runningServerFacts(running())).toBe(
    'up 1 min · pid 42 · 3 processes · 50 MB · restarts: 2',
  );
});

it('shows what is known of a server that connects', () => {
  const connecting = running({
    pid: undefined,
    processCount: undefined,
    memoryBytes: undefined,
    uptimeMs: undefined,
  });
  expect(runningServerFacts(connecting)).toBe('connecting · stdio · restarts: 2');
});

it('names its holders', () => {
  expect(runningServerHolders(running())).toMatch(/^Idle, stops when unused/);
  const definition = fakeDefinition('one', {
    change: { options: { ...defaultOptions, lifecycle: 'keep-alive' } },
  });
  const held = running({
    server: new FakeServer(definition, { kind: 'connecting' }),
    activity: { restarts: 0, calls: 2, holders: ['Pi agent', 'Pi agent', 'pin'] },
  });
  expect(runningServerHolders(held)).toBe('Used by: Pi agent × 2, pin, keep-alive, 2 requests');
});

it.each([
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_660_000, '1 h 1 min'],
])('says %s ms as %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});
