import { beforeEach, describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/event.js';
import type { McpServer } from '../../../../src/mcp/mcpApi.js';
import type { McpServerState } from '../../../../src/mcp/mcpTypes.js';
import { noticeOf } from '../../../../src/presentation/notices/noticeText.js';
import {
  gatherMs,
  healMs,
  ServerNotices,
} from '../../../../src/presentation/notices/serverNotices.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';
import { FakeServer, fakeDefinition, fakeFailure } from '../../../helpers/fakes/fakeMcp.js';

const idle: McpServerState = { kind: 'idle' };
const connecting: McpServerState = { kind: 'connecting' };
const connected: McpServerState = { kind: 'connected', transport: 'stdio', since: 0, connectMs: 1 };
const failed: McpServerState = { kind: 'error', failure: fakeFailure() };
const retrying: McpServerState = { ...failed, nextRetryAt: 5 };
const signedOut: McpServerState = {
  kind: 'needs_auth',
  failure: fakeFailure({ code: 'unauthorized', httpStatus: 401 }),
};

let clock: FakeClock;
let servers: FakeServer[];
let told: string[][];
let isInSight: boolean;
let isWanted: boolean;
const didChangeServer = new Emitter<McpServer>();
const didChangePools = new Emitter<void>();

beforeEach(() => {
  clock = new FakeClock();
  servers = ['a', 'b'].map((name) => new FakeServer(fakeDefinition(name), idle));
  told = [];
  isInSight = false;
  isWanted = true;
  const notices = new ServerNotices({
    service: {
      getServer: (id) => servers.find((server) => server.id === id),
      onDidChangeServer: didChangeServer.event,
      onDidChangePools: didChangePools.event,
    },
    clock,
    isInSight: () => isInSight,
    isWanted: () => isWanted,
    tell: (some) => told.push(some.map(({ definition }) => definition.name)),
  });
  return () => notices.dispose();
});

function become(state: McpServerState, index = 0): void {
  const server = servers[index];
  if (server) {
    server.state.set(state);
    didChangeServer.fire(server);
  }
}

function pass(ms = gatherMs): void {
  // what is due at once may lead to more
  clock.advance(0);
  clock.advance(ms);
}

describe('a notice', () => {
  it('tells once that a server which worked has failed, and again for another cause only', () => {
    become(connected);
    become(failed);
    pass();
    expect(told).toEqual([['a']]);
    become(connecting);
    become(connected);
    become(failed);
    pass();
    expect(told).toEqual([['a']]);
    become({ kind: 'error', failure: fakeFailure({ code: 'unreachable' }) });
    pass();
    expect(told).toEqual([['a'], ['a']]);
  });

  it('is not given for a server that never worked in this window', () => {
    become(connecting);
    become(failed);
    become(signedOut);
    pass(healMs);
    expect(told).toEqual([]);
  });

  it('waits for a server that is connected again by itself', () => {
    become(connected);
    become(retrying);
    pass(healMs - 1);
    become(connecting);
    become(connected);
    pass(healMs);
    expect(told).toEqual([]);
    become(retrying);
    pass(healMs);
    become(connecting);
    pass();
    expect(told).toEqual([]);
    become(retrying);
    pass();
    expect(told).toEqual([['a']]);
  });

  it('tells of a wanted account at once', () => {
    become(connected);
    become(signedOut);
    pass();
    expect(told).toEqual([['a']]);
  });

  it('tells of servers that fail together in one', () => {
    become(connected, 0);
    become(connected, 1);
    become(failed, 0);
    become(failed, 1);
    pass();
    expect(told).toEqual([['a', 'b']]);
  });

  it('is not given while the rows are in sight, nor later for what was seen there', () => {
    isInSight = true;
    become(connected);
    become(failed);
    pass();
    isInSight = false;
    become(connected);
    become(failed);
    pass();
    expect(told).toEqual([]);
  });

  it('is not given while the user wants none, and is when they do again', () => {
    isWanted = false;
    become(connected);
    become(failed);
    pass();
    isWanted = true;
    become(connected);
    become(failed);
    pass();
    expect(told).toEqual([['a']]);
  });

  it('is not given for what the user stopped or took away meanwhile', () => {
    become(connected);
    become(failed);
    become(idle);
    pass();
    become(connected);
    become(failed);
    servers = [];
    didChangePools.fire();
    pass();
    expect(told).toEqual([]);
  });
});

describe('the text of a notice', () => {
  it('says what happened and offers the next step', () => {
    const [a] = servers;
    a?.state.set(failed);
    expect(noticeOf(servers.slice(0, 1), [])).toEqual({
      text: 'The process ended with exit code 1. Read what it wrote last. MCP server: a',
      action: { title: 'Show', command: 'piMcp.revealServer', argument: a?.id },
    });
    expect(noticeOf(servers, [])?.text).toBe('2 MCP servers stopped working: a, b');
    expect(noticeOf([], [])).toBeUndefined();
    // where the window has more folders than one, each may have a server of that name
    const folders = [{ name: 'api' }, { name: 'web' }];
    expect(noticeOf(servers.slice(0, 1), folders)?.text).toMatch(
      / MCP server: a \((?:User|folder \w+)\)$/,
    );
    expect(noticeOf(servers, folders)?.text).toMatch(/: a \(.+\), b \(.+\)$/);
  });

  it('offers to sign in where there is an account, and shows odd names as they are', () => {
    const launch = {
      kind: 'http',
      url: 'https://example.com/mcp',
      transport: 'auto',
      headers: {},
      ignoreCertificateErrors: false,
    } as const;
    const definition = fakeDefinition('a\u202eb', { change: { launch } });
    const notice = noticeOf([new FakeServer(definition, signedOut)], []);
    expect(notice?.action).toMatchObject({ title: 'Sign In', command: 'piMcp.signIn' });
    expect(notice?.text).toContain('a\\u202eb');
  });
});
