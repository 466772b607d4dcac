import { describe, expect, it } from 'vitest';
import type { McpServerDefinition } from '../../../../src/config/definition.js';
import { launchHash } from '../../../../src/config/launch/launchHash.js';
import { resolveLaunch } from '../../../../src/config/launch/resolveLaunch.js';
import { mergeConfig } from '../../../../src/config/parse/mergeConfig.js';
import { parseConfig } from '../../../../src/config/parse/parseConfig.js';

function define(oauth: unknown, auth?: unknown): McpServerDefinition {
  const entry = { url: 'https://a.example/mcp', oauth, auth };
  const text = JSON.stringify({ mcpServers: { s: entry } });
  const file = parseConfig(text, { path: '/h/mcp.json', layer: 'user' });
  const { definitions } = mergeConfig([file], { poolId: 'global', folder: undefined });
  return definitions[0] as McpServerDefinition;
}

function oauthOf({ launch }: McpServerDefinition): unknown {
  return launch?.kind === 'http' ? launch.oauth : undefined;
}

const identityProvider = { issuer: 'https://idp', clientId: 'c', idToken: 't' };

describe('OAuth settings', () => {
  it('are taken as written', () => {
    const settings = {
      grant: 'cross_app_access',
      clientId: 'id',
      scope: 'a b',
      dpop: true,
      identityProvider,
    };
    const definition = define(settings);
    expect(definition.problems).toEqual([]);
    expect(oauthOf(definition)).toEqual(settings);
  });

  it.each([
    ['text', undefined],
    [{ grant: 'password' }, {}],
    [{ clientId: 3, scope: 's' }, { scope: 's' }],
    [{ dpop: 'yes' }, {}],
    [{ identityProvider: { clientId: 'c' } }, {}],
    [{ parameters: { a: ['b'] } }, {}],
    [{ parameters: { tenant: 't', redirect_uri: 'https://x.example' } }, {}],
    [{ tokenUrl: 3 }, {}],
    [{ identityProvider: { clientId: 'c', idToken: 't' } }, {}],
  ])('of %j lose what does not fit, with a warning', (settings, expected) => {
    const definition = define(settings);
    expect(oauthOf(definition)).toEqual(expected);
    expect(definition.problems.map(({ code }) => code)).toEqual(['bad-oauth']);
  });

  it.each([
    [{ scopes: ['a', 'b'] }, { scope: 'a b' }],
    [{ scopes: 'a b' }, { scope: 'a b' }],
    [{ scopes: 'a', scope: 'b' }, { scope: 'b' }],
    [{ parameters: { max_age: 3, a: true } }, { parameters: { max_age: '3', a: 'true' } }],
    [{ callbackPort: 8080 }, { redirectUrl: 'http://localhost:8080/callback' }],
    [
      { redirectUri: 'http://127.0.0.1:1/a', callbackPort: 8080 },
      { redirectUrl: 'http://127.0.0.1:1/a' },
    ],
  ])('of other programs are read: %j', (settings, expected) => {
    const definition = define(settings);
    expect(oauthOf(definition)).toEqual(expected);
    expect(definition.problems).toEqual([]);
  });

  it.each([
    ['oauth.callbackPort', { callbackPort: 70_000 }],
    ['oauth.callbackPort', { callbackPort: '8080' }],
    ['oauth.scopes', { scopes: [1] }],
  ])('in %s that do not fit are left out, with a warning', (field, settings) => {
    const definition = define(settings);
    expect(oauthOf(definition)).toEqual({});
    expect(definition.problems).toMatchObject([{ code: 'bad-oauth' }]);
    expect(definition.problems[0]?.message).toContain(`"${field}"`);
  });

  it('as Cursor writes them are read, and those of our own win', () => {
    const cursor = { CLIENT_ID: 'id', CLIENT_SECRET: '${SECRET}', scopes: ['a', 'b'] };
    const definition = define(undefined, cursor);
    expect(definition.problems).toEqual([]);
    expect(definition.launch).toMatchObject({
      auth: 'oauth',
      oauth: { clientId: 'id', clientSecret: '${SECRET}', scope: 'a b' },
    });
    expect(oauthOf(define({ scope: 'c' }, cursor))).toMatchObject({ clientId: 'id', scope: 'c' });
  });

  it.each([
    ['oauth.clientID', { clientID: 'x' }, undefined],
    ['oauth.callbackport', { callbackport: 1 }, undefined],
    ['auth.clientId', undefined, { clientId: 'x' }],
  ])('that nobody knows are reported where they stand: %s', (field, oauth, auth) => {
    const { problems } = define(oauth, auth);
    expect(problems).toMatchObject([{ code: 'unknown-field', severity: 'info', server: 's' }]);
    expect(problems[0]?.message).toContain(`"${field}"`);
    expect(problems[0]?.remedy).toContain('spelling');
    const key = JSON.stringify(field.split('.')[1]);
    const { start, end } = problems[0]?.range ?? { start: 0, end: 0 };
    expect(end - start).toBe(key.length);
  });

  it('have their variables resolved and their secrets masked', async () => {
    const launch = await resolveLaunch(
      define({
        clientId: '${ID}',
        clientSecret: '${input:key}',
        identityProvider: { ...identityProvider, idToken: '!echo from-a-command' },
      }),
      {
        environment: {
          platform: process.platform,
          homeDir: process.cwd(),
          getVariable: (name) => ({ ID: 'my-id' })[name],
          allVariables: () => ({}),
          loginShellPath: async () => process.env.PATH ?? '',
        },
        inputs: { resolve: async () => 'from-an-input' },
      },
    );
    expect(launch).toMatchObject({
      oauth: {
        clientId: 'my-id',
        clientSecret: 'from-an-input',
        identityProvider: { idToken: 'from-a-command' },
      },
    });
    expect(launch.secrets).toEqual(expect.arrayContaining(['from-an-input', 'from-a-command']));
  });

  it('belong to what the user consents to', () => {
    const hashes = [{}, { scope: 'a' }, { scope: 'b' }].map((settings) => {
      const { launch } = define(settings);
      return launch && launchHash(launch);
    });
    expect(new Set(hashes).size).toBe(3);
  });
});
