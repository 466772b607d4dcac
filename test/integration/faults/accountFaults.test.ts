/** One account in several windows, whose authorization server ends a grant when a refresh token comes twice. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { globalPoolId, serverId } from '../../../src/config/definition.js';
import { loadEngine } from '../../../src/mcp/connection/engineSelection.js';
import type { McpServer } from '../../../src/mcp/mcpApi.js';
import { credentialKey } from '../../../src/mcp/oauth/credentialStore.js';
import type { SecretStore } from '../../../src/platform/ports.js';
import { buildScript } from '../../fixtures/buildScript.js';
import { type RunningAuthServer, startAuthServer } from '../../fixtures/servers/authServer.mjs';
import { OpenSecrets, TestUser } from '../../fixtures/signIn.js';
import { CoreHarness } from '../../helpers/coreHarness.js';
import { createDeferred } from '../../helpers/fakes/deferred.js';

const id = serverId(globalPoolId, 'account');
let harness: CoreHarness;
let running: RunningAuthServer;
let secrets: OpenSecrets;
let user: TestUser;

beforeEach(async () => {
  harness = await CoreHarness.create();
  running = await startAuthServer();
  running.auth.revokesOnReuse = true;
  secrets = new OpenSecrets();
  user = new TestUser();
  await harness.writeGlobal({ account: { url: running.url } });
});

afterEach(async () => {
  await harness.dispose();
  await running.close();
});

async function openWindow({
  isSignedIn = true,
  own = secrets as SecretStore,
} = {}): Promise<McpServer> {
  const core = harness.open(loadEngine, {
    secrets: own,
    authorizationPrompt: () => user.prompt(),
  });
  await core.whenStarted();
  if (!isSignedIn) {
    await core.accounts.signIn(id);
  }
  const server = core.getServer(id);
  if (!server) {
    throw new Error('The entry was not read');
  }
  return server;
}

async function whoami(server: McpServer): Promise<unknown> {
  return (await server.callTool('whoami', {})).content[0]?.text;
}

const answer = 'You are signed in.';

describe('an account whose refresh tokens are good for one use', () => {
  it('stays in both windows that refresh it at once, with one request', async () => {
    const windows = [await openWindow({ isSignedIn: false }), await openWindow()];
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
    const left = await readdir(join(harness.storageDir, 'accounts'));
    expect(left).toEqual([expect.stringMatching(/\.spent$/)]);
  });

  it('stays in a window that sees late what another one has stored', async () => {
    const first = await openWindow({ isSignedIn: false });
    const late = new LateSecrets();
    const second = await openWindow({ own: late });
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
    const survivor = await openWindow({ isSignedIn: false });
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
    this.seen = new Map(secrets.values);
  }

  show(): void {
    this.seen = undefined;
  }

  async get(key: string): Promise<string | undefined> {
    if (this.seen && ++this.looks === 10) {
      this.asked.resolve();
    }
    return (this.seen ?? secrets.values).get(key);
  }

  store(key: string, value: string): Promise<void> {
    return secrets.store(key, value);
  }

  delete(key: string): Promise<void> {
    return secrets.delete(key);
  }
}

/** A window in a process of its own, with the secrets of now. */
async function withOtherWindow(use: (process: ChildProcess) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'account-host-'));
  const script = await buildScript('test/fixtures/servers/accountHost.ts', folder);
  const key = credentialKey(id);
  const args = [join(harness.root, 'home'), harness.storageDir, key, secrets.values.get(key) ?? ''];
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    await use(child);
  } finally {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true });
  }
}
