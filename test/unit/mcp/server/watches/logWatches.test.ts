import { expect, it } from 'vitest';
import type { ServerLogLevel } from '../../../../../src/mcp/logTypes.js';
import type { Cause } from '../../../../../src/mcp/originTypes.js';
import { LogWatches } from '../../../../../src/mcp/server/watches/logWatches.js';

function setUp() {
  const levels: (ServerLogLevel | undefined)[] = [];
  const watches: LogWatches = new LogWatches(() => levels.push(watches.level));
  const heard: string[] = [];
  const watch = (name: string, level: ServerLogLevel) =>
    watches.watch(level, (message, cause) => heard.push(`${name} ${message.level} ${cause.kind}`));
  const tell = (level: ServerLogLevel, cause?: Cause) => watches.tell({ level, data: 'x' }, cause);
  return { watches, levels, heard, watch, tell };
}

it('asks a server for as much as whoever wants most, and for nothing where nobody listens', () => {
  const { watches, levels, watch } = setUp();
  expect(watches.level).toBeUndefined();
  const some = watch('some', 'warning');
  const most = watch('most', 'debug');
  most.dispose();
  most.dispose();
  some.dispose();
  expect(levels).toEqual(['warning', 'debug', 'warning', undefined]);
});

it('tells each what is as severe as it wants, and because of whom it was said', () => {
  const { heard, watch, tell } = setUp();
  watch('some', 'warning');
  const most = watch('most', 'debug');
  tell('info');
  tell('warning', { kind: 'unknown' });
  most.dispose();
  tell('info');
  tell('error');
  expect(heard).toEqual([
    'most info nobody',
    'some warning unknown',
    'most warning unknown',
    'some error nobody',
  ]);
});
