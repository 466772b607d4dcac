/** An authorization server that is busy, broken, late or down costs nobody an account. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { McpServer } from '../../../src/mcp/mcpApi.js';
import type { McpServerState } from '../../../src/mcp/mcpTypes.js';
import { type RunningAuthServer, startAuthServer } from '../../fixtures/servers/authServer.mjs';
import {
  accountId,
  useAccounts,
  type Window,
  whoami,
} from '../../helpers/accounts/accountHarness.js';
import { createFastClock } from '../../helpers/fastClock.js';

const answer = 'You are signed in.';
const test = useAccounts();
let running: RunningAuthServer;
let states: McpServerState[];

beforeEach(async () => {
  running = await test.start(startAuthServer());
  states = [];
});

async function open(entry: object = {}): Promise<Window> {
  const window = await test.open(running, entry, { clock: createFastClock(100) });
  window.server.state.onDidChange((state) => void states.push(state));
  return window;
}

/** Signed in, with tokens that have run out. */
async function openExpired(): Promise<McpServer> {
  const { core, server } = await open();
  await core.accounts.signIn(accountId);
  running.auth.expireAccessTokens();
  states = [];
  return server;
}

/** Answers so many refreshes in its own way. */
function spoil(times: number, spoilOne: (response: ServerResponse) => unknown): void {
  let spoiled = 0;
  running.auth.beforeRefresh = async (response) => {
    if (spoiled++ < times) {
      await spoilOne(response);
    }
  };
}

async function cutShort(response: ServerResponse): Promise<void> {
  await new Promise<unknown>((resolve) => response.writeHead(200).write('{', resolve));
  response.destroy();
}

/** @returns lets time pass for whatever measures it with `performance` and is ended by `AbortSignal.timeout`. */
function holdTime(): (ms: number) => void {
  let passedMs = 0;
  const running = new Set<() => void>();
  const elapsed = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => elapsed() + passedMs);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController();
    const endsAt = performance.now() + ms;
    running.add(() => {
      if (performance.now() >= endsAt) {
        controller.abort(new DOMException('Too late', 'TimeoutError'));
      }
    });
    return controller.signal;
  });
  return (ms) => {
    passedMs += ms;
    for (const look of running) {
      look();
    }
  };
}

function refreshes(): number {
  return running.auth.visits.filter(([path]) => path === '/token').length - 1;
}

function whenState(server: McpServer, kind: McpServerState['kind']): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (server.state.value.kind === kind) {
        listener.dispose();
        resolve();
      }
    };
    const listener = server.state.onDidChange(look);
    look();
  });
}

/** Nobody was asked, and nothing that is stored is gone. */
function expectKept(): void {
  expect(test.user.requests).toHaveLength(1);
  expect([...test.secrets.values.values()].join()).toContain(
    [...running.auth.refreshTokens].at(-1),
  );
  expect(states.map(({ kind }) => kind)).not.toContain('needs_auth');
}

describe('a token endpoint', () => {
  it.each<[string, (response: ServerResponse) => unknown]>([
    ['fails', (response) => response.writeHead(500).end('<h1>Oops</h1>')],
    ['is overloaded', (response) => response.writeHead(429, { 'retry-after': '1' }).end()],
    ['says so in JSON', (response) => response.writeHead(400).end('{"error":"server_error"}')],
    ['sends a page', (response) => response.writeHead(200).end('<h1>Maintenance</h1>')],
    ['sends half an answer', cutShort],
    ['hangs up', (response) => response.destroy()],
  ])('that %s for a moment costs a moment', async (_name, spoilOne) => {
    const server = await openExpired();
    spoil(2, spoilOne);
    expect(await whoami(server)).toBe(answer);
    expect(refreshes()).toBe(3);
    expect(states).toEqual([]);
    expectKept();
  });

  it('that fails for longer is tried again by itself, and the state says when', async () => {
    const server = await openExpired();
    spoil(7, (response) => response.writeHead(503).end());
    await expect(whoami(server)).rejects.toMatchObject({
      code: 'account_unavailable',
      message: expect.stringContaining('HTTP 503'),
      remedy: expect.stringMatching(/kept, and it is tried again in \d+ s/),
    });
    await whenState(server, 'connected');
    expect(await whoami(server)).toBe(answer);
    const failed = states.filter(({ kind }) => kind === 'error');
    expect(failed).not.toEqual([]);
    for (const state of failed) {
      expect(state).toMatchObject({
        failure: { code: 'account_unavailable' },
        nextRetryAt: expect.any(Number),
      });
    }
    expectKept();
  });

  it('that wants to be left alone for an hour is', async () => {
    const server = await openExpired();
    spoil(1, (response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    for (let calls = 0; calls < 3; calls++) {
      await expect(whoami(server)).rejects.toMatchObject({ code: 'account_unavailable' });
    }
    expect(refreshes()).toBe(1);
    expect(server.state.value).toMatchObject({
      kind: 'error',
      failure: { remedy: expect.stringMatching(/3[56]\d\d s/) },
    });
    expectKept();
  });

  it('that wants to be left alone is asked once more by a person who tries again', async () => {
    const server = await openExpired();
    spoil(2, (response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    await expect(whoami(server)).rejects.toMatchObject({ code: 'account_unavailable' });
    expect(await server.restart()).toMatchObject({ failure: { code: 'account_unavailable' } });
    expect(refreshes()).toBe(2);
    await expect(whoami(server)).rejects.toMatchObject({ code: 'account_unavailable' });
    expect(refreshes()).toBe(2);
    expect(await server.restart()).toMatchObject({ kind: 'connected' });
    expect(await whoami(server)).toBe(answer);
    expectKept();
  });

  it('that does not answer is given up after a while, and the token is kept', async () => {
    const server = await openExpired();
    const passTime = holdTime();
    spoil(1, (response) => {
      passTime(20_000);
      return once(response, 'close');
    });
    await expect(whoami(server)).rejects.toMatchObject({
      code: 'account_unavailable',
      message: expect.stringContaining('does not answer in time'),
    });
    expect(refreshes()).toBe(1);
    expectKept();
    await whenState(server, 'connected');
    expect(await whoami(server)).toBe(answer);
    expect(refreshes()).toBe(2);
    expectKept();
  });

  it('whose answer was lost on the way is asked again with the same token', async () => {
    const server = await openExpired();
    const [token] = running.auth.refreshTokens;
    running.auth.keepsSpent = true;
    spoil(1, (response) => {
      response.writeHead = () => response;
      response.end = () => response.destroy();
    });
    expect(await whoami(server)).toBe(answer);
    expect(running.auth.refreshTokens.has(token ?? '')).toBe(true);
    expect(refreshes()).toBe(2);
    expectKept();
  });

  it('that knows the token no more has the user sign in', async () => {
    const server = await openExpired();
    running.auth.revokeAll();
    spoil(1, (response) => response.writeHead(502).end());
    expect(await whoami(server)).toBe(answer);
    expect(test.user.requests.map(({ kind }) => kind)).toEqual(['sign_in', 'expired']);
  });
});

describe('an authorization server that is down', () => {
  it('leaves the account as it is', async () => {
    const server = await openExpired();
    running.auth.isDown = true;
    await expect(whoami(server)).rejects.toMatchObject({ code: 'account_unavailable' });
    running.auth.isDown = false;
    await whenState(server, 'connected');
    expect(await whoami(server)).toBe(answer);
    expectKept();
  });

  it('is waited for by a client that signs in by itself', async () => {
    running.auth.isDown = true;
    const oauth = { grant: 'client_credentials', clientId: 'c', clientSecret: 's' };
    const { server } = await open({ oauth });
    await expect(whoami(server)).rejects.toMatchObject({ code: 'account_unavailable' });
    running.auth.isDown = false;
    await whenState(server, 'connected');
    expect(await whoami(server)).toBe(answer);
  });
});
