/** What an authorization server says reaches our log, masked, and no stream of the process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type RunningAuthServer, startAuthServer } from '../fixtures/servers/authServer.mjs';
import { CoreHarness } from '../helpers/coreHarness.js';
import { useScript } from '../helpers/script.js';

interface Report {
  readonly error: string;
  readonly log: readonly string[];
}

const words = 'words of the authorization server';
const host = useScript('test/fixtures/servers/signInHost.ts');
let harness: CoreHarness;
let running: RunningAuthServer;
let child: ChildProcess;
/** All that it wrote has arrived. */
let closed: Promise<unknown>;
let output: string;

beforeEach(async () => {
  harness = await CoreHarness.create();
  running = await startAuthServer();
  output = '';
});

afterEach(async () => {
  child.kill('SIGKILL');
  await closed;
  await harness.dispose();
  await running.close();
});

async function open(entry: object = {}): Promise<void> {
  await harness.writeGlobal({ account: { url: running.url, ...entry } });
  child = spawn(process.execPath, [host.path, join(harness.root, 'home'), harness.storageDir], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  closed = once(child, 'close');
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  await once(child, 'message');
}

async function tell(action: string): Promise<Report> {
  const answered = once(child, 'message');
  child.send(action);
  const [report] = await answered;
  return report as Report;
}

/** @param repeat what of the request the server repeats in its answer. */
function refuse(path: string, status: number, error: string, repeat?: string): void {
  running.auth.refusals.set(path, (form) => ({
    status,
    error,
    error_description: `${words} ${repeat ? form.get(repeat) : ''}`,
  }));
}

async function expectSilence(): Promise<void> {
  child.kill('SIGTERM');
  await closed;
  expect(output).toBe('');
}

it.each([
  [400, 'invalid_grant'],
  [401, 'invalid_client'],
  [400, 'unauthorized_client'],
  [503, 'server_error'],
  [400, 'temporarily_unavailable'],
])('of a refresh that is refused with %i %s', async (status, code) => {
  await open();
  expect(await tell('signIn')).toMatchObject({ error: '' });
  const secrets = [...running.auth.accessTokens, ...running.auth.refreshTokens];
  running.auth.expireAccessTokens();
  refuse('/token', status, code, 'refresh_token');
  const { error, log } = await tell('call');
  const said = [error, ...log].join('\n');
  expect(said).toContain(words);
  expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
  await expectSilence();
});

it.each([
  ['/token', 400, 'invalid_grant'],
  ['/token', 401, 'invalid_client'],
  ['/register', 400, 'invalid_client_metadata'],
])('of a sign-in that is refused at %s with %i %s', async (path, status, code) => {
  await open();
  refuse(path, status, code);
  const { error } = await tell('signIn');
  expect(error).toContain(words);
  expect(running.auth.tokenRequests.length).toBeLessThan(2);
  await expectSilence();
});

it('of credentials that are refused', async () => {
  const clientSecret = 'a-secret-that-nobody-may-read';
  await open({ oauth: { grant: 'client_credentials', clientId: 'program', clientSecret } });
  refuse('/token', 401, 'invalid_client', 'client_secret');
  const { error, log } = await tell('call');
  expect(error).not.toBe('');
  expect([error, ...log].join('\n')).not.toContain(clientSecret);
  await expectSilence();
});

it('of tokens that are not taken back', async () => {
  await open();
  await tell('signIn');
  const secrets = [...running.auth.accessTokens, ...running.auth.refreshTokens];
  refuse('/revoke', 400, 'unsupported_token_type', 'token');
  const { log } = await tell('signOut');
  const said = log.join('\n');
  expect(said).toContain(words);
  expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
  await expectSilence();
});
