import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import {
  clientConfiguration,
  clientName,
  gatewayClients,
  tokenWays,
} from '../../../../src/presentation/gateway/clientConfiguration.js';

const access = { url: 'http://127.0.0.1:4711/mcp', token: 'secret-token' };
const withVariables = {
  url: '${PI_MCP_GATEWAY_URL}',
  headers: { Authorization: 'Bearer ${PI_MCP_GATEWAY_TOKEN}' },
};
const withToken = { url: access.url, headers: { Authorization: 'Bearer secret-token' } };

describe('clientConfiguration', () => {
  it('is a command for Claude Code', () => {
    const { text } = clientConfiguration('claude', access, 'variable');
    const [, json = ''] = /^claude --mcp-config '(.*)'$/.exec(text) ?? [];
    expect(JSON.parse(json)).toEqual({
      mcpServers: { 'pi-mcp': { type: 'http', ...withVariables } },
    });
  });

  it.each([
    ['pi', 'variable', withVariables],
    ['pi', 'file', withToken],
    ['cursor', 'file', withToken],
    ['copilot', 'file', { type: 'http', ...withToken, tools: ['*'] }],
  ] as const)('is an entry for %s', (client, way, entry) => {
    const { text } = clientConfiguration(client, access, way);
    expect(JSON.parse(text)).toEqual({ mcpServers: { 'pi-mcp': entry } });
  });

  it('is TOML for Codex', () => {
    expect(parse(clientConfiguration('codex', access, 'variable').text)).toEqual({
      mcp_servers: {
        'pi-mcp': { url: access.url, bearer_token_env_var: 'PI_MCP_GATEWAY_TOKEN' },
      },
    });
    expect(parse(clientConfiguration('codex', access, 'file').text)).toEqual({
      mcp_servers: {
        'pi-mcp': { url: access.url, http_headers: { Authorization: 'Bearer secret-token' } },
      },
    });
  });

  it.each(gatewayClients)(
    'puts the token of %s in no command line, unless that is asked for',
    (client) => {
      const [first] = tokenWays(client);
      for (const way of tokenWays(client)) {
        const { text, hasToken, place } = clientConfiguration(client, access, way);
        expect(text.includes(access.token)).toBe(hasToken);
        expect(hasToken).toBe(way !== 'variable');
        expect(text.startsWith('claude ') && hasToken).toBe(way === 'commandLine');
        expect(place).toMatch(/\.$/);
        expect(place.includes('Other users of this machine can read')).toBe(way === 'commandLine');
      }
      expect(first).not.toBe('commandLine');
      expect(clientName(client)).not.toBe('');
    },
  );
});
