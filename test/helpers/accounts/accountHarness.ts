/**
 * The whole core against real authorization servers on loopback. A case is short:
 *
 *   const test = useAccounts();
 *   it('…', async () => {
 *     const server = await test.start(startOidcServer({ requiresPar: true }));
 *     const { core, server: account } = await test.openSignedIn(server);
 *     expect(await whoami(account)).toBe('whoami');
 *     expect(tokenRequests(server)).toEqual(['authorization_code 200']);
 *   });
 *
 * - `startAuthServer` is ours, which misbehaves as it is told. Of others are `startOidcServer` (oidc-provider, has every
 *   option), `startSdkServer` and `startSdkProxy` (the SDK's `mcpAuthRouter`), `startCloudflareServer`: an authorization server and an MCP server with the tools `whoami` (scope `read`), `change`
 *   (`write`) and `govern` (`admin`). Refresh tokens rotate, and the second use of one ends the grant.
 * - `server.wire` and `server.resourceWire` note every request (`to(path)`), and interfere: `failNext(path, status)`,
 *   `metadata = …`. `server.paths` has the endpoints' paths.
 * - `server.expireAccessTokens()`, `forgetClients()`, `revokeGrants()` act on what the server has stored.
 * - `test.user` is at the browser: `decision`, `isWilling`, `tamper`; `requests` are the questions, `pages` what was shown.
 * - `open` again is another window with the same secrets and storage; `test.log` is what all of them logged.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { globalPoolId, serverId } from '../../../src/config/definition.js';
import { loadEngine } from '../../../src/mcp/connection/engineSelection.js';
import type { McpServer, McpService } from '../../../src/mcp/mcpApi.js';
import { OpenSecrets } from '../../fixtures/signIn.js';
import { CoreHarness } from '../coreHarness.js';
import { type AuthorizationFixture, confidential } from './accountServer.js';
import { BrowserUser } from './browser.js';

export const accountId = serverId(globalPoolId, 'account');

export interface Window {
  readonly core: McpService;
  readonly server: McpServer;
}

type CoreChanges = Parameters<CoreHarness['open']>[1];

export class AccountHarness {
  readonly user = new BrowserUser();
  readonly secrets = new OpenSecrets();
  readonly log: string[] = [];
  /** What went to the console, which other extensions share. */
  readonly printed: string[] = [];
  private readonly servers: AuthorizationFixture[] = [];

  constructor(readonly cores: CoreHarness) {}

  /** A server that ends with the test. */
  async start<T extends AuthorizationFixture>(starting: Promise<T>): Promise<T> {
    const server = await starting;
    this.servers.push(server);
    return server;
  }

  /** A window of the editor with one remote server, whose start-up connect is over. */
  async open(
    target: { readonly url: string },
    entry: object = {},
    changes: CoreChanges = {},
  ): Promise<Window> {
    await this.cores.writeGlobal({ account: { url: target.url, ...entry } });
    const logger = { log: (_level: string, message: string) => void this.log.push(message) };
    const core = this.cores.open(loadEngine, {
      secrets: this.secrets,
      authorizationPrompt: ({ oauth }) => this.user.prompt(oauth?.redirectUrl),
      loggers: { forServer: () => logger, main: logger },
      isTrafficTraced: () => true,
      ...changes,
    });
    await core.whenStarted();
    const server = core.getServer(accountId);
    if (!server) {
      throw new Error('The entry was not read');
    }
    return { core, server };
  }

  async openSignedIn(target: { readonly url: string }, entry: object = {}): Promise<Window> {
    const window = await this.open(target, entry);
    await window.core.accounts.signIn(accountId);
    return window;
  }

  /** Kinds of the questions to the user, in order. */
  get asked(): readonly string[] {
    return this.user.requests.map(({ kind }) => kind);
  }

  /** @throws when a token, code or secret is anywhere but in the secret storage. */
  async expectNothingLeaked(...texts: readonly unknown[]): Promise<void> {
    const files = await readAll(this.cores.root);
    const seen = [...this.log, ...this.printed, ...texts.map(describe), ...files];
    const all = seen.join('\n');
    const secret = this.servers.flatMap(confidential);
    expect(secret.filter((text) => all.includes(text))).toEqual([]);
  }

  async dispose(): Promise<void> {
    await this.cores.dispose();
    await Promise.all(this.servers.map((server) => server.close()));
  }
}

/** One for each test of the file, which looks for leaked secrets at its end. */
export function useAccounts(): AccountHarness {
  let current: AccountHarness | undefined;
  beforeEach(async () => {
    const harness = new AccountHarness(await CoreHarness.create());
    current = harness;
    for (const method of ['debug', 'info', 'log', 'warn', 'error'] as const) {
      vi.spyOn(console, method).mockImplementation((...values: unknown[]) => {
        harness.printed.push(values.map(describe).join(' '));
      });
    }
  });
  afterEach(async () => {
    try {
      // what is still to be written is on the disk then
      await current?.cores.closeAll();
      await current?.expectNothingLeaked();
    } finally {
      vi.restoreAllMocks();
      await current?.dispose();
    }
  });
  return new Proxy({} as AccountHarness, {
    get(_target, name) {
      const value: unknown = Reflect.get(current ?? {}, name, current);
      return typeof value === 'function' ? value.bind(current) : value;
    },
  });
}

export function call(server: McpServer, tool: string): Promise<unknown> {
  return server.callTool(tool, {}).then(({ content }) => content[0]?.text);
}

export function whoami(server: McpServer): Promise<unknown> {
  return call(server, 'whoami');
}

function describe(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  return value instanceof Error
    ? [value.message, value.stack, describe(value.cause)].join('\n')
    : (JSON.stringify(value) ?? '');
}

async function readAll(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const kept = ['mcp.json', 'accounts.json'];
  // the configuration is the user's own, the accounts of the command line are kept in a file, and what is being written
  // may be gone before it is read: it stands under its own name at the end of the test
  const files = entries.filter(
    (entry) => entry.isFile() && !kept.includes(entry.name) && !entry.name.endsWith('.tmp'),
  );
  return Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
}
