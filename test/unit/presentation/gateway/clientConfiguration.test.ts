import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import {
  clientConfiguration,
  clientName,
  gatewayClients,
  readsVariables,
} from '../../../../src/presentation/gateway/clientConfiguration.js';

const access = { url: 'http://127.0.0.1:4711/mcp', token: 'secret-token' };
const withVariables = {
  url: '${PI_MCP_GATEWAY_URL}',
  headers: { Authorization: 'Bearer ${PI_MCP_GATEWAY_TOKEN}' },
};
const withToken = { url: access.url, headers: { Authorization: 'Bearer secret-token' } };

describe('clientConfiguration', () => {
  it('is a command for Claude Code', () => {
    const { text } = clientConfiguration('claude', access, false);
    const [, json = ''] = /^claude --mcp-config '(.*)'$/.exec(text) ?? [];
    expect(JSON.parse(json)).toEqual({
      mcpServers: { 'pi-mcp': { type: 'http', ...withVariables } },
    });
  });

  it.each([
    ['pi', false, withVariables],
    ['pi', true, withToken],
    ['cursor', false, withToken],
    ['copilot', true, { type: 'http', ...withToken, tools: ['*'] }],
  ] as const)('is an entry for %s', (client, isWithToken, entry) => {
    const { text } = clientConfiguration(client, access, isWithToken);
    expect(JSON.parse(text)).toEqual({ mcpServers: { 'pi-mcp': entry } });
  });

  it('is TOML for Codex', () => {
    expect(parse(clientConfiguration('codex', access, false).text)).toEqual({
      mcp_servers: {
        'pi-mcp': { url: access.url, bearer_token_env_var: 'PI_MCP_GATEWAY_TOKEN' },
      },
    });
    expect(parse(clientConfiguration('codex', access, true).text)).toEqual({
      mcp_servers: {
        'pi-mcp': { url: access.url, http_headers: { Authorization: 'Bearer secret-token' } },
      },
    });
  });

  it.each(gatewayClients)('says whether the text of %s holds the token', (client) => {
    for (const isWithToken of [false, true]) {
      const { text, hasToken, place } = clientConfiguration(client, access, isWithToken);
      expect(text.includes(access.token)).toBe(hasToken);
      expect(hasToken).toBe(isWithToken || !readsVariables(client));
      expect(place).toMatch(/\.$/);
    }
    expect(clientName(client)).not.toBe('');
  });
});
