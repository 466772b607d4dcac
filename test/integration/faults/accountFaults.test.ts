/** One account in several windows, whose authorization server ends a grant when a refresh token comes twice. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { McpServer } from '../../../src/mcp/mcpApi.js';
import { credentialKey } from '../../../src/mcp/oauth/storedCredentials.js';
import type { SecretStore } from '../../../src/platform/ports.js';
import { type RunningAuthServer, startAuthServer } from '../../fixtures/servers/authServer.mjs';
import { accountId, useAccounts, whoami } from '../../helpers/accounts/accountHarness.js';
import { createDeferred } from '../../helpers/fakes/deferred.js';
import { useScript } from '../../helpers/script.js';

const test = useAccounts();
const host = useScript('test/fixtures/servers/accountHost.ts');
let running: RunningAuthServer;

beforeEach(async () => {
  running = await test.start(startAuthServer());
  running.auth.revokesOnReuse = true;
});

/** @param changes what another window has beside the first one, in which the user signs in. */
async function openOther(changes: { readonly secrets?: SecretStore } = {}): Promise<McpServer> {
  return (await test.open(running, {}, changes)).server;
}

async function openFirst(): Promise<McpServer> {
  return (await test.openSignedIn(running)).server;
}

const answer = 'You are signed in.';

describe('an account whose refresh tokens are good for one use', () => {
  it('stays in both windows that refresh it at once, with one request', async () => {
    const windows = [await openFirst(), await openOther()];
    for (let round = 1; round <= 3; round++) {
      const areRefused = createDeferred();
      let refusals = 0;
      running.auth.onRefusal = () => void (++refusals === 2 && areRefused.resolve());
      // both have been told that their token is over before either gets a new one
      running.auth.beforeRefresh = () => areRefused.promise;
      running.auth.expireAccessTokens();
      expect(await Promise.all(windows.map(whoami))).toEqual([answer, answer]);
      expect(running.auth.tokenRequests).toHaveLength(1 + round);
    }
    expect(windows.map(({ state }) => state.value.kind)).toEqual(['connected', 'connected']);
    expect(running.auth.pageVisits).toBe(1);
    const left = await readdir(join(test.cores.storageDir, 'accounts'));
    expect(left).toEqual([expect.stringMatching(/\.spent$/)]);
  });

  it('stays in a window that sees late what another one has stored', async () => {
    const first = await openFirst();
    const late = new LateSecrets();
    const second = await openOther({ secrets: late });
    running.auth.expireAccessTokens();
    late.hide();
    expect(await whoami(first)).toBe(answer);
    const answered = whoami(second);
    await late.wasAskedAgain;
    expect(running.auth.tokenRequests).toHaveLength(2);
    late.show();
    expect(await answered).toBe(answer);
    expect(running.auth.tokenRequests).toHaveLength(2);
    expect(running.auth.pageVisits).toBe(1);
  });

  it('stays when the window that refreshes it is killed in the middle', async () => {
    const survivor = await openFirst();
    running.auth.expireAccessTokens();
    const asked = createDeferred();
    let requests = 0;
    running.auth.beforeRefresh = async (response) => {
      if (++requests === 1) {
        asked.resolve();
        await once(response, 'close');
      }
    };
    await withOtherWindow(async (other) => {
      await asked.promise;
      const refused = createDeferred();
      running.auth.onRefusal = refused.resolve;
      const survives = whoami(survivor);
      await refused.promise;
      // as many answers as it takes to get to the refresh, and more
      for (let round = 0; round < 20; round++) {
        await (await fetch(`${running.local}/.well-known/oauth-authorization-server`)).text();
      }
      expect(requests).toBe(1);
      other.kill('SIGKILL');
      expect(await survives).toBe(answer);
    });
    expect(requests).toBe(2);
    expect(running.auth.tokenRequests).toEqual(['authorization_code', 'refresh_token']);
    expect(running.auth.pageVisits).toBe(1);
  });
});

/** What the windows share, as a window sees it that is told of changes later. */
class LateSecrets implements SecretStore {
  private seen: ReadonlyMap<string, string> | undefined;
  private looks = 0;
  private readonly asked = createDeferred();
  /** Often enough for a window that does not wait to have sent what it read. */
  readonly wasAskedAgain = this.asked.promise;

  hide(): void {
    this.seen = new Map(test.secrets.values);
  }

  show(): void {
    this.seen = undefined;
  }

  async get(key: string): Promise<string | undefined> {
    if (this.seen && ++this.looks === 10) {
      this.asked.resolve();
    }
    return (this.seen ?? test.secrets.values).get(key);
  }

  store(key: string, value: string): Promise<void> {
    return test.secrets.store(key, value);
  }

  delete(key: string): Promise<void> {
    return test.secrets.delete(key);
  }
}

/** A window in a process of its own, with the secrets of now. */
async function withOtherWindow(use: (process: ChildProcess) => Promise<void>): Promise<void> {
  const key = credentialKey(accountId);
  const args = [
    join(test.cores.root, 'home'),
    test.cores.storageDir,
    key,
    test.secrets.values.get(key) ?? '',
  ];
  const child = spawn(process.execPath, [host.path, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    await use(child);
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}
