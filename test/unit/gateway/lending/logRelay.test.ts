import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LogRelay } from '../../../../src/gateway/lending/logRelay.js';
import type { ServerLogLevel } from '../../../../src/mcp/logTypes.js';
import type { McpServer } from '../../../../src/mcp/mcpApi.js';
import type { Cause } from '../../../../src/mcp/originTypes.js';
import { LogWatches } from '../../../../src/mcp/server/watches/logWatches.js';
import { FakeServer, fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

class LoggingServer extends FakeServer {
  readonly watches = new LogWatches(() => this.levels.push(this.watches.level));
  /** That its connection was told, in order. */
  readonly levels: (ServerLogLevel | undefined)[] = [];
  override log: McpServer['log'] = this.watches;

  constructor(name: string) {
    super(fakeDefinition(name), { kind: 'idle' });
  }
}

const all = ['debug', 'warning', 'critical'] as const;

function create(isPlain = true) {
  const one = new LoggingServer('one');
  const servers: McpServer[] = [one];
  const relay = new LogRelay(() => servers, isPlain);
  const listen = (level: ServerLogLevel) => {
    const heard: unknown[] = [];
    const listening = relay.add({
      level,
      send: (message) =>
        heard.push(message.logger ? `${message.logger}: ${message.data}` : message.data),
    });
    return { heard, dispose: () => listening.dispose() };
  };
  const speak = (server = one, logger?: string) => {
    for (const level of all) {
      server.watches.tell({ level, data: level, ...(logger !== undefined && { logger }) });
    }
  };
  return { one, servers, relay, listen, speak };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('LogRelay', () => {
  it('tells each client what it asked for, and the server what the most curious of them wants', () => {
    const { one, listen, speak } = create();
    const first = listen('critical');
    const second = listen('warning');
    speak();
    expect([first.heard, second.heard]).toEqual([['critical'], ['warning', 'critical']]);
    expect(one.watches.level).toBe('warning');
  });

  it('asks for less a while after the most curious one is gone, and for nothing after the last one', async () => {
    const { one, listen, speak } = create();
    const first = listen('critical');
    const second = listen('debug');
    second.dispose();
    speak();
    expect([second.heard, one.watches.level]).toEqual([[], 'debug']);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(one.watches.level).toBe('critical');
    first.dispose();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(one.watches.level).toBeUndefined();
  });

  it('does not have the server told again for each request that names the same level', async () => {
    const { one, listen } = create();
    for (let count = 0; count < 10; count++) {
      listen('info').dispose();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(one.levels).toEqual(['info']);
  });

  it('hears servers that come later, and no longer those that are gone', () => {
    const { one, servers, relay, listen, speak } = create(false);
    const { heard } = listen('critical');
    const two = new LoggingServer('two');
    servers.splice(0, 1, two);
    relay.refresh();
    speak(one);
    speak(two, 'mouth');
    expect(heard).toEqual(['two/mouth: critical']);
    expect(one.watches.level).toBeUndefined();
  });

  it('tells a client what its own requests cause, and what nobody has caused', () => {
    const { one, relay } = create();
    const [mine, theirs] = [{}, {}];
    const heard: unknown[] = [];
    const add = (client: object | undefined, name: string) =>
      relay.add({ level: 'debug', client, send: ({ data }) => heard.push(`${name}: ${data}`) });
    add(mine, 'mine');
    add(theirs, 'theirs');
    add(undefined, 'nameless');
    const say = (data: string, cause: Cause) => one.watches.tell({ level: 'info', data }, cause);
    say('of mine', { kind: 'client', client: mine });
    say('of the user', { kind: 'client', client: undefined });
    say('of several', { kind: 'unknown' });
    expect(heard).toEqual(['mine: of mine']);
    say('of nobody', { kind: 'nobody' });
    expect(heard.slice(1)).toEqual(
      ['mine', 'theirs', 'nameless'].map((one) => `${one}: of nobody`),
    );
  });

  it('says once that a server logs too much', () => {
    const { listen, one } = create();
    const { heard } = listen('debug');
    for (let count = 0; count < 10_000; count++) {
      one.watches.tell({ level: 'info', data: 'again' });
    }
    expect(heard.filter((line) => line !== 'again')).toEqual([
      'pi-mcp: The servers log too much; messages are skipped.',
    ]);
    expect(heard.length).toBeLessThan(600);
  });

  it('hears nothing any more after its end', () => {
    const { one, relay, listen, speak } = create();
    const { heard } = listen('debug');
    relay.dispose();
    speak();
    expect([heard, one.watches.level]).toEqual([[], undefined]);
  });
});
