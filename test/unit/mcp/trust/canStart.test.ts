import { describe, expect, it } from 'vitest';
import type {
  ConfigOrigin,
  McpHttpLaunch,
  McpServerDefinition,
  McpServerLaunch,
  McpStdioLaunch,
} from '../../../../src/config/definition.js';
import type { LaunchFacts } from '../../../../src/config/launch/launchDescription.js';
import { launchHash } from '../../../../src/config/launch/launchHash.js';
import { defaultOptions } from '../../../../src/config/schema/fields.js';
import {
  addAgentEntry,
  canLoad,
  canStart,
  type FolderConsent,
  noConsent,
} from '../../../../src/mcp/trust/canStart.js';
import { describeLaunch } from '../../../../src/mcp/trust/describeLaunch.js';

const stdio: McpStdioLaunch = {
  kind: 'stdio',
  command: 'node',
  args: ['server.js'],
  env: { A: '1', B: '2' },
  inheritEnv: false,
};
const http: McpHttpLaunch = {
  kind: 'http',
  url: 'https://example.com/mcp',
  transport: 'auto',
  headers: {},
  ignoreCertificateErrors: false,
};
const folder = { uri: 'file:///a', name: 'a', fsPath: '/a' };

function define(
  scope: 'global' | 'folder',
  launch: McpServerLaunch,
  origin: ConfigOrigin = { layer: 'project', path: '/a/.mcp.json' },
): McpServerDefinition {
  return {
    id: 'x',
    poolId: scope === 'global' ? 'global' : folder.uri,
    scope,
    name: 'x',
    ...(scope === 'folder' ? { folder } : {}),
    origin,
    hides: [],
    launch,
    enabled: true,
    options: defaultOptions,
    problems: [],
  };
}

/** As they were stored before anything was known of odd words. */
function withoutTrait(consent: FolderConsent): FolderConsent {
  return {
    servers: Object.fromEntries(
      Object.entries(consent.servers).map(([name, { hash, description }]) => [
        name,
        {
          hash,
          description: {
            ...description,
            traits: description.traits.filter((trait) => trait !== 'runs_other_code'),
          },
        },
      ]),
    ),
  };
}

function consentTo(launch: McpServerLaunch, name = 'x'): FolderConsent {
  const description = describeLaunch(launch, { isGlobalName: false });
  return { servers: { [name]: { hash: launchHash(launch), description } } };
}

const folderConsent: FolderConsent = { folderGrantedAt: '2026-01-01', servers: {} };
const trusted = { isWorkspaceTrusted: true, globalNames: new Set<string>() };
const restricted = { ...trusted, isWorkspaceTrusted: false };
const shadowing = { ...trusted, globalNames: new Set(['x']) };
const changed = { ...stdio, args: ['other.js'] };

describe('canStart', () => {
  it('lets what the user declared for the folder start where the workspace is trusted', () => {
    const local = define('folder', stdio, { layer: 'local', path: '/h/mcp.json' });
    expect(canStart(local, shadowing, noConsent)).toEqual({ allowed: true });
    expect(canStart(local, restricted, folderConsent)).toEqual({
      allowed: false,
      reason: { kind: 'workspace_untrusted' },
    });
  });

  it.each([
    ['global stdio, restricted', 'global', stdio, restricted, noConsent, 'allowed'],
    ['global remote, restricted', 'global', http, restricted, noConsent, 'allowed'],
    ['stdio, restricted', 'folder', stdio, restricted, noConsent, 'workspace_untrusted'],
    [
      'stdio, restricted, consented',
      'folder',
      stdio,
      restricted,
      folderConsent,
      'workspace_untrusted',
    ],
    ['remote, restricted', 'folder', http, restricted, noConsent, 'workspace_untrusted'],
    ['stdio', 'folder', stdio, trusted, noConsent, 'never_consented'],
    ['stdio, folder trusted', 'folder', stdio, trusted, folderConsent, 'allowed'],
    ['stdio, consented', 'folder', stdio, trusted, consentTo(stdio), 'allowed'],
    ['stdio, changed since', 'folder', changed, trusted, consentTo(stdio), 'changed'],
    [
      'stdio, other server consented',
      'folder',
      stdio,
      trusted,
      consentTo(stdio, 'y'),
      'never_consented',
    ],
    ['stdio, changed, folder trusted', 'folder', changed, trusted, folderConsent, 'allowed'],
    [
      'stdio, written by the agent, folder trusted',
      'folder',
      stdio,
      trusted,
      addAgentEntry(folderConsent, 'x', launchHash(stdio)),
      'agent_wrote',
    ],
    ['plain remote', 'folder', http, trusted, noConsent, 'allowed'],
    ['remote that shadows', 'folder', http, shadowing, noConsent, 'sensitive_remote'],
    ['remote that shadows, consented', 'folder', http, shadowing, consentTo(http), 'allowed'],
    ['remote that shadows, folder trusted', 'folder', http, shadowing, folderConsent, 'allowed'],
    [
      'remote consented as stdio',
      'folder',
      { ...http, url: 'https://${HOST}/' },
      trusted,
      consentTo(stdio),
      'changed',
    ],
  ] as const)('%s → %s', (_title, scope, launch, facts, consent, expected) => {
    const verdict = canStart(define(scope, launch), facts, consent);
    expect(verdict.allowed ? 'allowed' : verdict.reason.kind).toBe(expected);
  });

  it.each([
    ['headers', { ...http, headers: { Authorization: 'Bearer ${TOKEN}' } }, ['reads_environment']],
    ['url', { ...http, url: 'https://evil.example/?k=${env:SECRET}' }, ['reads_environment']],
    ['input', { ...http, headers: { A: '${input:key}' } }, ['reads_environment']],
    ['bearerTokenEnv', { ...http, bearerTokenEnv: 'TOKEN' }, ['reads_environment']],
    ['command', { ...http, bearerToken: '!pass show x' }, ['runs_command']],
    [
      'oauth secret',
      { ...http, oauth: { clientSecret: '!pass show x' } },
      ['runs_command', 'brings_oauth'],
    ],
    ['client', { ...http, oauth: { clientId: 'made-by-hand' } }, ['brings_oauth']],
    ['oauth text', { ...http, oauth: { scope: '${SCOPE}' } }, ['reads_environment']],
    [
      'identity provider',
      {
        ...http,
        oauth: { identityProvider: { issuer: 'https://i.example', clientId: 'c', idToken: '!id' } },
      },
      ['runs_command', 'brings_oauth'],
    ],
    ['place', { ...http, headers: { A: '${userHome}' } }, ['uses_places']],
    ['basename', { ...http, url: 'http://${workspaceFolderBasename}/' }, ['uses_places']],
    ['loopback', { ...http, url: 'http://localhost.:3000/' }, ['reaches_inner']],
    [
      'inner issuer',
      { ...http, oauth: { issuer: 'https://10.0.0.1' } },
      ['reaches_inner', 'brings_oauth'],
    ],
    ['issuer', { ...http, oauth: { issuer: 'https://i.example' } }, ['brings_oauth']],
    ['endpoint', { ...http, oauth: { tokenUrl: 'https://t.example/' } }, ['brings_oauth']],
    ['resource', { ...http, oauth: { resource: 'https://r.example/' } }, ['brings_oauth']],
    ['audience', { ...http, oauth: { audience: 'a' } }, ['brings_oauth']],
    ['parameters', { ...http, oauth: { parameters: { a: 'b' } } }, ['brings_oauth']],
    ['grant', { ...http, oauth: { grant: 'client_credentials' } }, ['brings_oauth']],
    ['redirect', { ...http, oauth: { redirectUrl: 'http://127.0.0.1:1/' } }, ['brings_oauth']],
    ['tls', { ...http, ignoreCertificateErrors: true }, ['skips_tls']],
    ['issuer', { ...http, oauth: { skipIssuerMetadataValidation: true } }, ['skips_issuer_check']],
  ] as const)('asks for a remote that is sensitive through its %s', (_title, launch, traits) => {
    const verdict = canStart(define('folder', launch), trusted, noConsent);
    expect(verdict).toEqual({ allowed: false, reason: { kind: 'sensitive_remote', traits } });
  });

  it('shows with a change what was consented to', () => {
    const verdict = canStart(define('folder', changed), trusted, consentTo(stdio));
    expect(verdict).toEqual({
      allowed: false,
      reason: { kind: 'changed', consented: describeLaunch(stdio, { isGlobalName: false }) },
    });
  });

  it('asks again when another file of the folder would run, or a link leads elsewhere', () => {
    const found = (path: string, isInFolder: boolean, leadsTo?: string) =>
      ({
        path,
        isInFolder,
        state: 'found',
        ...(leadsTo === undefined ? {} : { leadsTo }),
      }) as const;
    const facts = { executable: found('/a/x', true), cwd: found('/a', true) };
    const description = describeLaunch(stdio, { isGlobalName: false, facts });
    const consent = { servers: { x: { hash: launchHash(stdio), description } } };
    const verdict = (change: Partial<LaunchFacts>) =>
      canStart(define('folder', stdio), { ...trusted, found: { ...facts, ...change } }, consent);
    const file = found('/a/node_modules/p/i.js', true);
    expect(verdict({}).allowed).toBe(true);
    expect(verdict({ executable: found('/a/y', true) }).allowed).toBe(false);
    expect(verdict({ executable: found('/a/x', false, '/usr/bin/x') }).allowed).toBe(false);
    expect(verdict({ cwd: found('/a', false, '/etc') }).allowed).toBe(false);
    expect(verdict({ package: { name: 'p', version: '1', file } }).allowed).toBe(false);
    const cached = { name: 'p', version: '1', file: found('/home/u/.npm/p/i.js', false) };
    expect(verdict({ package: cached }).allowed).toBe(true);
  });

  it('asks again when the file of variables has another content, where it is one of the folder', () => {
    const launch = { ...stdio, envFile: '.env' };
    const path = (isInFolder: boolean) =>
      ({ path: '/a/.env', isInFolder, state: 'found' }) as const;
    const base = { executable: path(false), cwd: { ...path(true), path: '/a' } };
    const facts = (isInFolder: boolean, digest?: string) => ({
      ...base,
      envFile: { file: path(isInFolder), ...(digest === undefined ? {} : { digest }) },
    });
    const verdict = (before: LaunchFacts, now: LaunchFacts) => {
      const description = describeLaunch(launch, { isGlobalName: false, facts: before });
      const consent = { servers: { x: { hash: launchHash(launch), description } } };
      return canStart(define('folder', launch), { ...trusted, found: now }, consent).allowed;
    };
    expect(verdict(facts(true, '1'), facts(true, '1'))).toBe(true);
    expect(verdict(facts(true, '1'), facts(true, '2'))).toBe(false);
    expect(verdict(facts(true), facts(true, '1'))).toBe(false);
    expect(verdict(facts(false), facts(true, '1'))).toBe(false);
    // what is outside of the folder is the user's
    expect(verdict(facts(false), facts(false, '1'))).toBe(true);
  });

  it('is not fooled by a server named like a member of Object', () => {
    const definition = { ...define('folder', stdio), name: 'constructor' };
    expect(canStart(definition, trusted, noConsent).allowed).toBe(false);
  });
});

describe('launches that the agent wrote in a folder that is trusted whole', () => {
  const launches = Array.from({ length: 52 }, (_, at) => ({ ...stdio, args: [`${at}.js`] }));
  const whole = (count: number, name = 'x') =>
    launches
      .slice(0, count)
      .map(launchHash)
      .reduce((consent, hash) => addAgentEntry(consent, name, hash), folderConsent);
  const waiting = (consent: FolderConsent, name = 'x') =>
    launches.filter((launch) => {
      const verdict = canStart({ ...define('folder', launch), name }, trusted, consent);
      return !verdict.allowed && verdict.reason.kind === 'agent_wrote';
    });

  it.each([
    [0, 0],
    [2, 2],
    [50, 50],
    // no file grows without end: from there on all of the name wait
    [51, 52],
    [52, 52],
  ])('wait: of %i written ones %i', (written, waits) => {
    expect(waiting(whole(written))).toEqual(launches.slice(0, waits));
    expect(waiting(whole(written), 'other')).toEqual([]);
  });

  it('wait also under the name of a member of Object', () => {
    expect(waiting(whole(1, 'constructor'), 'constructor')).toEqual(launches.slice(0, 1));
  });
});

describe('canLoad', () => {
  const consent: FolderConsent = {
    folderGrantedAt: '2026-01-01',
    servers: {},
    extensions: { hash: 'seen', files: ['.pi/extensions/a.ts'] },
  };

  it('lets exactly those extensions run that the user saw, in a trusted workspace', () => {
    expect(canLoad('seen', { isWorkspaceTrusted: true }, consent)).toBe(true);
    expect(canLoad('other', { isWorkspaceTrusted: true }, consent)).toBe(false);
    expect(canLoad('seen', { isWorkspaceTrusted: false }, consent)).toBe(false);
  });

  it('takes trust in the servers of a folder for nothing', () => {
    const { extensions: _, ...servers } = consent;
    expect(canLoad('seen', { isWorkspaceTrusted: true }, servers)).toBe(false);
  });
});

describe('launchHash', () => {
  it('does not depend on the order of env', () => {
    expect(launchHash({ ...stdio, env: { B: '2', A: '1' } })).toBe(launchHash(stdio));
  });

  it.each([
    { command: 'sh' },
    { args: ['server.js', ''] },
    { env: { A: '1', B: '3' } },
    { cwd: '/elsewhere' },
    { inheritEnv: true },
    { envFile: '.env' },
  ])('changes with %j', (change) => {
    expect(launchHash({ ...stdio, ...change })).not.toBe(launchHash(stdio));
  });

  it.each([
    { url: 'https://example.com/other' },
    { transport: 'sse' as const },
    { headers: { A: 'b' } },
    { ignoreCertificateErrors: true },
    { bearerToken: 'x' },
    { bearerTokenEnv: 'X' },
    { auth: false as const },
  ])('of a remote changes with %j', (change) => {
    expect(launchHash({ ...http, ...change })).not.toBe(launchHash(http));
  });
});

describe('words that are not plain', () => {
  const odd: McpStdioLaunch = { ...stdio, args: ['--import', './x.js', 'server.js'] };
  const facts = { isWorkspaceTrusted: true, globalNames: new Set<string>() };

  it('ask nobody who agreed before they were known to be odd', () => {
    expect(describeLaunch(odd, { isGlobalName: false }).traits).toEqual(['runs_other_code']);
    const stored = withoutTrait(consentTo(odd));
    expect(stored.servers.x?.description.traits).toEqual([]);
    expect(canStart(define('folder', odd), facts, stored)).toEqual({ allowed: true });
    expect(canStart(define('folder', odd), facts, noConsent).allowed).toBe(false);
  });

  it('ask nobody about a server of the user, nor about one of a folder that is trusted whole', () => {
    const whole: FolderConsent = { folderGrantedAt: '2026-01-01T00:00:00Z', servers: {} };
    expect(canStart(define('global', odd), facts, noConsent)).toEqual({ allowed: true });
    expect(canStart(define('folder', odd), facts, whole)).toEqual({ allowed: true });
  });

  it('are asked about no more than plain ones', () => {
    for (const launch of [stdio, odd]) {
      expect(canStart(define('folder', launch), facts, noConsent)).toEqual({
        allowed: false,
        reason: { kind: 'never_consented' },
      });
    }
  });
});
