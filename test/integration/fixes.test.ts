/** Each fix is performed once, against a real server that fails that way: afterwards the server works. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.js';
import { InputStore } from '../../src/config/inputs/inputStore.js';
import { type CommandId, commandIds } from '../../src/contributions.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import { stateText } from '../../src/mcp/trouble/stateText.js';
import { type FixWindow, performFix } from '../../src/presentation/fixes/performFix.js';
import { createCertificate } from '../fixtures/certificate.js';
import { MemorySecrets } from '../fixtures/memorySecrets.js';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import {
  type MisbehavingServer,
  startMisbehavingServer,
} from '../fixtures/servers/misbehaveHttp.mjs';
import { BrowserUser } from '../helpers/accounts/browser.js';
import { CoreHarness, find, replaceDirectory } from '../helpers/coreHarness.js';
import { repository } from '../workbench/paths.mjs';

const script = join(repository, 'test/fixtures/servers/misbehave.mjs');
const node = process.execPath;
const secret = 'a value';
const works = { command: node, args: [script] };
const after = (first: string) => [
  '-e',
  `${first}import(${JSON.stringify(pathToFileURL(script).href)})`,
];

let harness: CoreHarness;
let remote: MisbehavingServer;
let inputs: InputStore;
let accounts: RunningAuthServer;
const others: { close(): unknown }[] = [];

beforeEach(async () => {
  harness = await CoreHarness.create();
  remote = await startMisbehavingServer();
  inputs = new InputStore(Object.assign(new MemorySecrets(), { keys: async () => [] }));
});

afterEach(async () => {
  await harness.dispose();
  await remote.close();
  await Promise.all(others.splice(0).map((one) => one.close()));
});

async function startAccounts(): Promise<RunningAuthServer> {
  accounts = await startAuthServer();
  others.push(accounts);
  return accounts;
}

interface Case {
  readonly reason: string | RegExp;
  readonly fix: string | RegExp;
  readonly entry: JsonObject | (() => JsonObject | Promise<JsonObject>);
  /** What the user writes in the form or file that the fix opens. */
  readonly edit?: () => JsonObject;
  /** Before the fix, what the fix waits for. */
  readonly meanwhile?: (service: McpService, server: McpServer) => unknown;
  /** The last thing that the fix leads to, where the server cannot work after it. */
  readonly leadsTo?: string;
  /** What the state says then, where that is the aim. Default: connected. */
  readonly becomes?: string;
  readonly isWaiting?: boolean;
  /** It is seen while it starts. */
  readonly isStarting?: boolean;
  /** What makes a connected server fail. */
  readonly before?: (server: McpServer, service: McpService) => Promise<void>;
}

const cases: Readonly<Record<string, Case>> = {
  'a disabled server': { reason: 'Disabled', fix: 'Enable', entry: { ...works, enabled: false } },
  'a server that is not trusted': {
    reason: 'Needs trust',
    fix: 'Review…',
    entry: works,
    isWaiting: true,
  },
  'a changed server': {
    reason: 'Changed since trusted',
    fix: 'Review…',
    entry: { ...works, lifecycle: 'lazy' },
    meanwhile: (service, { id }) =>
      service.configuration.updateServer(id, { entry: { args: [script, 'changed'] } }),
  },
  'both command and URL': {
    reason: 'Both command and URL',
    fix: /^Open at Line \d+$/,
    entry: { ...works, url: 'https://example.com' },
    edit: () => ({ url: null }),
  },
  'a variable that is not known': {
    reason: 'Unknown variable what:ever',
    fix: /^Open at Line \d+$/,
    entry: { ...works, env: { TOKEN: '${what:ever}' } },
    edit: () => ({ env: null }),
  },
  'a command for a secret that fails': {
    reason: 'Secret command failed',
    fix: 'Run in Terminal',
    entry: { ...works, env: { TOKEN: '!exit 3' } },
    leadsTo: 'terminal',
  },
  'a file that may not be run': {
    reason: 'Cannot start',
    fix: 'Open Settings',
    entry: { command: script },
    edit: () => ({ command: node, args: [script] }),
  },
  'a server that hangs in its start': {
    reason: 'Starting',
    fix: 'Stop',
    entry: { command: node, args: [script, '--hang-initialize'] },
    isStarting: true,
    becomes: 'Not running',
  },
  'a server of another version of the protocol': {
    reason: 'Not a valid MCP server',
    fix: 'Show Traffic',
    entry: { command: node, args: [script, '--protocol-version=1999-01-01'] },
    leadsTo: commandIds.openServer,
  },
  'a server whose start ends in an error': {
    reason: 'Server reported error',
    fix: 'Show Traffic',
    entry: { command: node, args: [script, '--initialize-error'] },
    leadsTo: commandIds.openServer,
  },
  'a connection that was lost': {
    reason: 'Connection lost',
    fix: 'Restart',
    entry: works,
    before: async (server) => {
      await server.callTool('close_stdout', {}).catch(() => undefined);
    },
  },
  'a host that nobody knows': {
    reason: 'Cannot connect',
    fix: 'Edit URL',
    entry: { url: 'http://no-such-host.invalid/mcp' },
    edit: () => ({ url: remote.url }),
  },
  'a certificate that is not trusted': {
    reason: 'Certificate not trusted',
    fix: 'Show How to Fix',
    entry: async () => {
      const secure = await startMisbehavingServer({ tls: await createCertificate() });
      others.push(secure);
      return { url: secure.url };
    },
    leadsTo: 'https://nodejs.org/api/cli.html#node_extra_ca_certsfile',
  },
  'a server with too many requests': {
    reason: 'HTTP 429',
    fix: 'Try Again',
    entry: () => {
      remote.faults.status = 429;
      return { url: remote.url };
    },
    meanwhile: () => {
      remote.faults.status = undefined;
    },
  },
  'a server in Restricted Mode': {
    reason: 'Restricted Mode',
    fix: 'Manage Workspace Trust',
    entry: () => {
      harness.isTrusted = false;
      return works;
    },
    isWaiting: true,
  },
  'a server whose folder was replaced': {
    reason: 'Folder was replaced',
    fix: 'Review…',
    entry: works,
    before: async (server, service) => {
      const [{ fsPath = '' } = {}] = harness.folders;
      await server.stop();
      await replaceDirectory(fsPath);
      await service.reload();
    },
  },
  'a server that wants a sign-in': {
    reason: 'Sign in',
    fix: 'Sign In',
    entry: async () => ({ url: (await startAccounts()).url }),
  },
  'a server that refuses the account': {
    reason: 'Access denied',
    fix: 'Sign In',
    entry: async () => ({ url: (await startAccounts()).url }),
    before: async ({ id }, service) => {
      accounts.auth.entrance = 'another account';
      await service.accounts.signIn(id);
    },
    meanwhile: () => {
      accounts.auth.entrance = '';
    },
  },
  'a server that wants a token and says not how to sign in': {
    reason: 'Sign in',
    fix: 'Set Token…',
    entry: () => {
      remote.faults.requiredToken = secret;
      return { url: remote.url };
    },
    before: async ({ id }, service) => {
      await expect(service.accounts.signIn(id)).rejects.toThrow();
    },
  },
  'a variable that is not set': {
    reason: 'Missing FIX_TEST_TOKEN',
    fix: 'Set Value…',
    entry: { ...works, env: { TOKEN: '${env:FIX_TEST_TOKEN}' } },
  },
  'a server that asks for a variable': {
    reason: 'FIX_TEST_KEY is required',
    fix: 'Set Value…',
    entry: {
      command: node,
      args: after(
        'if(!process.env.FIX_TEST_KEY){console.error("Error: FIX_TEST_KEY is required");process.exit(1)};',
      ),
    },
  },
  'a command that is not found': {
    reason: 'Command not found',
    fix: 'Edit Command',
    entry: { command: 'no-such-command-here', args: [script] },
    edit: () => ({ command: node }),
  },
  'a command that the login shell finds': {
    reason: 'Command not found',
    fix: /^Use .*node$/,
    entry: { command: 'node', args: [script], env: { PATH: '/no/such/folder' } },
  },
  'a folder that is missing': {
    reason: 'Folder missing',
    fix: 'Open Settings',
    entry: { ...works, cwd: '/no/such/folder' },
    edit: () => ({ cwd: null }),
  },
  'an env file that is missing': {
    reason: 'Cannot read env file',
    fix: 'Open Settings',
    entry: { ...works, envFile: '/no/such/file' },
    edit: () => ({ envFile: null }),
  },
  'a server that needs longer': {
    reason: /^No answer in/,
    fix: 'Wait Longer',
    entry: {
      command: node,
      args: ['-e', `setTimeout(()=>import(${JSON.stringify(pathToFileURL(script).href)}),2500)`],
      startupTimeoutMs: 2000,
    },
  },
  'a server that exits': {
    reason: 'Exit code 3',
    fix: 'Run in Terminal',
    entry: { command: node, args: ['-e', 'process.exit(3)'] },
    leadsTo: 'terminal',
  },
  'a runtime that is missing': {
    reason: 'Command not found',
    fix: 'Install uvx',
    entry: { command: 'uvx', args: ['x'], env: { PATH: '/no/such/folder' } },
    leadsTo: 'https://docs.astral.sh/uv/getting-started/installation/',
  },
  'a server that is not there yet': {
    reason: 'Cannot connect',
    fix: 'Try Again',
    entry: async () => {
      await remote.close();
      return { url: remote.url };
    },
    meanwhile: () => remote.reopen(),
  },
  'a server that moved to another site': {
    reason: 'Redirects to another site',
    fix: 'Use New URL…',
    entry: async () => {
      const moved = createServer((_request, response) => {
        response.writeHead(307, { location: remote.url }).end();
      });
      others.push(moved);
      await new Promise<void>((done) => moved.listen(0, '127.0.0.1', done));
      return { url: `http://127.0.0.1:${(moved.address() as AddressInfo).port}/mcp` };
    },
  },
  'a wrong path': {
    reason: 'HTTP 404',
    fix: 'Edit URL',
    entry: () => {
      remote.faults.status = 404;
      return { url: remote.url };
    },
    edit: () => {
      remote.faults.status = undefined;
      return { url: `${remote.url}` };
    },
  },
  'a broken server': {
    reason: 'HTTP 500',
    fix: 'Try Again',
    entry: () => {
      remote.faults.status = 500;
      return { url: remote.url };
    },
    meanwhile: () => {
      remote.faults.status = undefined;
    },
  },
  'a rejected token': {
    reason: 'Token rejected',
    fix: 'Set Token…',
    entry: () => {
      remote.faults.requiredToken = secret;
      return { url: remote.url, headers: { Authorization: 'Bearer wrong' } };
    },
  },
  'a rejected bearer token': {
    reason: 'Token rejected',
    fix: 'Set Token…',
    entry: () => {
      remote.faults.requiredToken = secret;
      return { url: remote.url, bearerToken: 'wrong' };
    },
  },
  'a server that is no MCP server': {
    reason: 'Not a valid MCP server',
    fix: 'Show Traffic',
    entry: () => {
      remote.faults.html = true;
      return { url: remote.url };
    },
    leadsTo: commandIds.openServer,
  },
};

/** Does what the commands of the editor do. */
function windowOf(
  service: McpService,
  folderUri: string,
  { edit }: Case,
  done: string[],
): FixWindow {
  const start = async (id: unknown) => {
    await service.trust.trustFolder(folderUri);
    await service.getServer(String(id))?.restart();
  };
  return {
    run: async (command: CommandId, id: unknown, tab?: unknown) => {
      done.push(command);
      switch (command) {
        case commandIds.enableServer:
          await service.configuration.setEnabled(String(id), true);
          await service.getServer(String(id))?.ensureConnected();
          break;
        case commandIds.openServer:
        case commandIds.openConfiguration:
          if (tab === 'traffic') {
            break;
          }
          await service.configuration.updateServer(String(id), { entry: edit?.() ?? {} });
          await start(id);
          break;
        case commandIds.reviewServers:
        case commandIds.restartServer:
        case commandIds.startServer:
          await start(id);
          break;
        case commandIds.signIn:
          await service.accounts.signIn(String(id));
          break;
        case commandIds.manageWorkspaceTrust:
          harness.setTrusted(true);
          await start(id);
          break;
        case commandIds.stopServer:
          await service.getServer(String(id))?.stop();
          break;
      }
    },
    openTerminal: () => done.push('terminal'),
    openUrl: async (url) => {
      done.push(url);
    },
    openFolder: async () => {
      done.push('folder');
    },
    askUrl: async (proposed) => proposed,
    askValue: async () => secret,
  };
}

it.each(Object.entries(cases))('the fix of %s', async (_name, one) => {
  const entry = typeof one.entry === 'function' ? await one.entry() : one.entry;
  const folder = await harness.addFolder('work', { it: entry });
  const service = await harness.start(undefined, {
    authorizationPrompt: ({ oauth }) => new BrowserUser().prompt(oauth?.redirectUrl),
    inputs: {
      resolve: (poolId, inputId) => inputs.get({ poolId, inputId }),
    },
  });
  if (!one.isWaiting) {
    await service.trust.trustFolder(folder.uri);
    await (one.isStarting ? undefined : service.whenStarted());
  }
  const server = () => find(service, 'it');
  const connecting = server()
    .ensureConnected()
    .catch(() => undefined);
  await (one.isStarting ? undefined : connecting);
  await one.before?.(server(), service);
  if (one.reason === 'Changed since trusted') {
    await service.trust.revoke(folder.uri);
    await service.trust.trustServers(folder.uri, await service.trust.pendingConsent(folder.uri));
    await one.meanwhile?.(service, server());
  }
  const said = stateText(server().state.value);
  const expected = (text: string | RegExp) =>
    typeof text === 'string' ? text : expect.stringMatching(text);
  expect([said.reason, said.fix?.title]).toEqual([expected(one.reason), expected(one.fix)]);
  if (one.reason !== 'Changed since trusted') {
    await one.meanwhile?.(service, server());
  }
  const done: string[] = [];
  const window = windowOf(service, folder.uri, one, done);
  await performFix(server(), { service, inputs, window });
  if (one.leadsTo === undefined) {
    expect(stateText(server().state.value)).toMatchObject({
      reason: one.becomes ?? 'Connected',
    });
    expect(await readFile(server().definition.origin.path, 'utf8')).not.toContain(secret);
  } else {
    expect(done.at(-1)).toBe(one.leadsTo);
  }
});

it('the fix of a file whose servers are all disabled', async () => {
  const text = JSON.stringify({ disabled: true, mcpServers: { it: works } });
  const folder = await harness.addFolder('work', {});
  await harness.write(folder, text);
  const service = await harness.start();
  await service.trust.trustFolder(folder.uri);
  const said = stateText(find(service, 'it').state.value);
  expect([said.reason, said.fix?.title]).toEqual(['All disabled', 'Enable']);
  const window = windowOf(service, folder.uri, { reason: '', fix: '', entry: {} }, []);
  await performFix(find(service, 'it'), { service, inputs, window });
  await find(service, 'it').ensureConnected();
});
