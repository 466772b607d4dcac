import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { McpServerDefinition, ResolvedLaunch } from '../../../../src/config/definition.js';
import { resolveLaunch } from '../../../../src/config/launch/resolveLaunch.js';
import { mergeConfig } from '../../../../src/config/parse/mergeConfig.js';
import { parseConfig } from '../../../../src/config/parse/parseConfig.js';
import { createMask } from '../../../../src/config/secrets/secretMask.js';

// commands run in it, so it must exist
const root = tmpdir();
const folder = { uri: 'file:///w', name: 'w', fsPath: root };
const variables: Readonly<Record<string, string>> = {
  TOKEN: 'tok-12345',
  EMPTY: '',
  DIR: 'sub',
  LEVEL: 'verbose',
  PORT: '8080',
  ODD: 'q7Jd0sK2mVx9',
};

function definition(entry: object, isGlobal = false): McpServerDefinition {
  const text = JSON.stringify({ mcpServers: { s: entry } });
  const file = parseConfig(text, { path: '/w/.mcp.json', layer: 'project' });
  const options = isGlobal
    ? { poolId: 'global', folder: undefined }
    : { poolId: folder.uri, folder };
  const [merged] = mergeConfig([file], options).definitions;
  return merged as McpServerDefinition;
}

function resolve(entry: object, isGlobal = false, signal?: AbortSignal): Promise<ResolvedLaunch> {
  return resolveLaunch(definition(entry, isGlobal), {
    environment: {
      platform: process.platform,
      homeDir: '/home/me',
      getVariable: (name) => variables[name],
      allVariables: () => variables,
      loginShellPath: async () => process.env.PATH ?? '',
    },
    inputs: { resolve: async (_pool, id) => (id === 'key' ? 'input-secret' : undefined) },
    ...(signal ? { signal } : {}),
  });
}

it('knows what credentials say once they are read', async () => {
  const Authorization = `Basic ${Buffer.from('bob:pass').toString('base64')}`;
  const url = 'https://h.example/?token=words';
  const launch = await resolve({ url, headers: { Authorization } });
  expect(launch.secrets).toEqual(expect.arrayContaining(['bob:pass', 'pass', 'words']));
  const inHeader = Buffer.from('eve:words').toString('base64');
  expect(createMask(launch.secrets)(`Basic ${inHeader}`)).toContain('***REDACTED***');
});

describe('a launch with a file of variables', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(root, 'pi-mcp-env-'));
    await writeFile(join(dir, '.env'), 'A=file\nB=file\nAPI_KEY=q7Jd0sK2mVx9aa');
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('has them below those of the entry, and says what was read', async () => {
    const envFile = `${basename(dir)}/.env`;
    const launch = await resolve({ command: 'x', env: { B: 'entry' }, envFile });
    expect(launch).toMatchObject({
      env: { A: 'file', B: 'entry', API_KEY: 'q7Jd0sK2mVx9aa' },
      envFile: { path: join(dir, '.env'), names: ['A', 'B', 'API_KEY'] },
    });
    expect(launch.secrets).toContain('q7Jd0sK2mVx9aa');
  });

  it('fails without it', async () => {
    const envFile = '${workspaceFolder}/none.env';
    await expect(resolve({ command: 'x', envFile })).rejects.toMatchObject({ code: 'env_file' });
  });
});

describe('a stdio launch', () => {
  it('has every variable resolved', async () => {
    const launch = await resolve({
      command: '~/bin/server',
      args: ['${workspaceFolder}/${DIR}', '${MISSING:-a ${DIR}}', '$env:DIR', '${userHome}', '~/x'],
      env: { A: '${TOKEN}', B: '${input:key}', C: '${EMPTY}', D: '${EMPTY:-d}' },
      cwd: './${DIR}',
    });
    expect(launch).toMatchObject({
      command: '/home/me/bin/server',
      args: [`${root}/sub`, 'a sub', 'sub', '/home/me', '/home/me/x'],
      env: { A: 'tok-12345', B: 'input-secret', C: '', D: 'd' },
      cwd: `${root}/sub`,
    });
    expect(launch.secrets).toEqual(expect.arrayContaining(['tok-12345', 'input-secret']));
    expect(launch.secrets).not.toContain(root);
  });

  it('takes for secrets what is one by its name, its place or its look, and no other word', async () => {
    const { secrets } = await resolve({
      command: 'x',
      args: ['--level', '${DIR}', '--api-key', '${LEVEL}', '-p', '${PORT}', '-k', '${ODD}'],
      env: {
        LOG_LEVEL: 'error',
        HOST: 'db.example.com',
        PORT: '${PORT}',
        DB: 'postgres://app:${LEVEL}2@db/app',
        API_KEY: 'k-2',
        OTHER: '${ODD}',
      },
    });
    expect(new Set(secrets)).toEqual(new Set(['verbose', 'verbose2', 'k-2', 'q7Jd0sK2mVx9']));
  });

  it('masks no ordinary word of its environment', async () => {
    const { secrets } = await resolve({ command: 'x', env: { LOG_LEVEL: 'error', TOKEN: 'k-3x' } });
    const said = 'The server reported an error with k-3x';
    expect(createMask(secrets)(said)).toBe('The server reported an error with ***REDACTED***');
  });

  it('runs in its folder, or at home when it is global', async () => {
    expect(await resolve({ command: 'x' })).toMatchObject({ cwd: root });
    expect(await resolve({ command: 'x' }, true)).toMatchObject({ cwd: '/home/me' });
    expect(await resolve({ command: 'x', cwd: 'a' }, true)).toMatchObject({ cwd: '/home/me/a' });
    expect(await resolve({ command: 'x', cwd: '/abs' })).toMatchObject({ cwd: '/abs' });
  });

  it('takes the output of a command for a secret, and nothing but secrets from commands', async () => {
    const launch = await resolve({
      command: 'x',
      args: ['!echo no'],
      env: { A: '!echo from-command', B: '!!literal' },
    });
    expect(launch).toMatchObject({
      args: ['!echo no'],
      env: { A: 'from-command', B: '!literal' },
    });
    expect(launch.secrets).toContain('from-command');
  });
});

describe('a remote launch', () => {
  it('turns a bearer token into a header unless the entry sets that header', async () => {
    expect(await resolve({ url: 'https://a', bearerToken: '${TOKEN}' })).toMatchObject({
      headers: { Authorization: 'Bearer tok-12345' },
      secrets: ['tok-12345'],
    });
    expect(await resolve({ url: 'https://a', bearerTokenEnv: 'TOKEN' })).toMatchObject({
      headers: { Authorization: 'Bearer tok-12345' },
      secrets: ['tok-12345'],
    });
    expect(await resolve({ url: 'https://a', auth: 'bearer', bearerToken: 't' })).toMatchObject({
      headers: { Authorization: 'Bearer t' },
    });
    const own = { authorization: 'Basic abc' };
    const withOwn = await resolve({ url: 'https://a', bearerToken: 't', headers: own });
    expect(withOwn).toHaveProperty('headers', own);
    const off = await resolve({ url: 'https://a', auth: false, bearerToken: 't' });
    expect(off).toHaveProperty('headers', {});
  });

  it('has the variables of address and headers resolved', async () => {
    const headers = {
      Authorization: 'Bearer ${TOKEN}',
      'X-Key': '$env:TOKEN',
      'X-Level': '{env:LEVEL}',
    };
    expect(await resolve({ url: 'http://127.0.0.1:${PORT}/${DIR}', headers })).toMatchObject({
      url: 'http://127.0.0.1:8080/sub',
      headers: { Authorization: 'Bearer tok-12345', 'X-Key': 'tok-12345', 'X-Level': 'verbose' },
    });
  });

  it.each([
    { bearerToken: 'spoken aloud' },
    { oauth: { clientId: 'c', clientSecret: 'spoken aloud' } },
    { oauth: { clientId: 'c', privateKey: 'spoken aloud' } },
    { oauth: { grant: 'jwt_bearer', assertion: 'spoken aloud' } },
    {
      oauth: { identityProvider: { issuer: 'https://i', clientId: 'c', idToken: 'spoken aloud' } },
    },
  ])('takes for a secret whatever stands where one has to: %j', async (entry) => {
    const { secrets } = await resolve({ url: 'https://a', ...entry });
    expect(secrets).toEqual(expect.arrayContaining(['spoken aloud', 'aloud']));
  });

  it('counts tokens of its headers and secrets of its address as secrets', async () => {
    const { secrets } = await resolve({
      url: 'https://a/?api_key=k-1&password=pass%20word&page=2',
      headers: { Authorization: 'Bearer abcdef', Accept: 'text/plain', 'X-Region': 'eu-west' },
    });
    expect(secrets).toEqual(['k-1', 'pass%20word', 'pass word', 'abcdef']);
  });
});

describe('what cannot be resolved', () => {
  const cases: readonly (readonly [string, object, string, readonly string[]])[] = [
    [
      'unset variable',
      { command: 'x', env: { KEY: '${NOPE}' } },
      'variable_unset',
      ['s', 'env.KEY', 'NOPE'],
    ],
    [
      'unset bearer variable',
      { url: 'https://a', bearerTokenEnv: 'NOPE' },
      'variable_unset',
      ['s', 'bearerTokenEnv', 'NOPE'],
    ],
    [
      'password in an address',
      { url: 'https://me:${NOPE:-hush}@a' },
      'credentials_in_address',
      ['s', 'address'],
    ],
    [
      'unanswered input',
      { command: 'x', args: ['${input:other}'] },
      'variable_unset',
      ['s', 'args[0]', 'other'],
    ],
    [
      'unknown variable',
      { command: '${config:x}' },
      'variable_unknown',
      ['s', 'command', 'config:x'],
    ],
    ['address that is none', { url: '${DIR}' }, 'bad-url', ['s']],
    [
      'failing command',
      { command: 'x', env: { K: '!exit 3' } },
      'command_failed',
      ['s', 'env.K', '3'],
    ],
    [
      'empty command',
      { command: 'x', env: { K: '! ' } },
      'command_failed',
      ['s', 'env.K', '! needs something after it.'],
    ],
    [
      'command with a null character',
      { command: 'x', env: { K: '!echo a\u0000b' } },
      'command_failed',
      ['s', 'env.K', 'ERR_INVALID_ARG_VALUE'],
    ],
    ['invalid entry', { command: 'x', url: 'https://a' }, 'invalid_entry', ['s', '/w/.mcp.json']],
  ];
  it.each(cases)('%s is an error that says where', async (_label, entry, code, words) => {
    const error = await resolve(entry).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'HumanError', code });
    for (const word of words) {
      expect((error as Error).message).toContain(word);
    }
    expect((error as { remedy: string }).remedy).toMatch(/\.$/);
  });

  it('has no workspace folder in a global file', async () => {
    await expect(resolve({ command: '${workspaceFolder}/x' }, true)).rejects.toMatchObject({
      code: 'variable_unset',
    });
  });

  it('stops a command when the caller gives up', async () => {
    const controller = new AbortController();
    const resolving = resolve({ command: 'x', env: { A: '!sleep 60' } }, false, controller.signal);
    setImmediate(() => controller.abort(new Error('enough')));
    await expect(resolving).rejects.toThrow('enough');
  });
});

describe('a command that leaves something in the background', () => {
  it('is done when it ends, not when the last holder of its output does', async () => {
    const entry = { command: 'x', env: { A: '!echo value; (sleep 5 &)' } };
    await expect(resolve(entry)).resolves.toMatchObject({ env: { A: 'value' } });
  }, 4000);
});
