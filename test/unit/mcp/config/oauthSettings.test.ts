import { describe, expect, it } from 'vitest';
import { mergeConfig } from '../../../../src/mcp/config/mergeConfig.js';
import { parseConfig } from '../../../../src/mcp/config/parseConfig.js';
import { resolveLaunch } from '../../../../src/mcp/config/resolveLaunch.js';
import type { McpServerDefinition } from '../../../../src/mcp/mcpTypes.js';
import { launchHash } from '../../../../src/mcp/trust/launchHash.js';

function define(oauth: unknown): McpServerDefinition {
  const text = JSON.stringify({ mcpServers: { s: { url: 'https://a.example/mcp', oauth } } });
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
    [{ identityProvider: { clientId: 'c', idToken: 't' } }, {}],
  ])('of %j lose what does not fit, with a warning', (settings, expected) => {
    const definition = define(settings);
    expect(oauthOf(definition)).toEqual(expected);
    expect(definition.problems.map(({ code }) => code)).toEqual(['bad-oauth']);
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
