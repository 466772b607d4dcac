import { describe, expect, it } from 'vitest';
import { exportClients } from '../../../../src/config/export/clientFormats.js';
import { type ExportedServer, exportServers } from '../../../../src/config/export/exportServers.js';
import { parseCodexConfig } from '../../../../src/config/parse/codex.js';
import { toOwnWords } from '../../../../src/config/parse/dialects.js';
import { parseConfig } from '../../../../src/config/parse/parseConfig.js';
import { redactedSentinel } from '../../../../src/config/secrets/sentinel.js';

const plain = { command: 'npx', args: ['-y', 'a@1.0.0'], env: { LEVEL: 'debug' } };
const remote = { type: 'http', url: 'https://mcp.example.com/mcp', headers: { 'X-Region': 'eu' } };
const server = (entry: object, name = 'notes'): ExportedServer => ({
  name,
  entry: entry as ExportedServer['entry'],
  inputs: [{ id: 'key', type: 'promptString', password: true }, { id: 'other' }],
});
const one = (entry: object, client: (typeof exportClients)[number]) => {
  const { text, losses, language } = exportServers([server(entry)], client);
  return { text, losses: losses.map(({ field, text: why }) => [field, why]), language };
};
const entryIn = (entry: object, client: (typeof exportClients)[number], block = 'mcpServers') =>
  JSON.parse(one(entry, client).text)[block].notes;

/** The launch as our own reader of the client's files finds it. */
function readBack(text: string, client: (typeof exportClients)[number]) {
  if (client === 'codex') {
    return parseCodexConfig(text, { path: 'config.toml', layer: 'import' }).entries[0]?.launch;
  }
  const [block] = Object.values(JSON.parse(text)) as Record<string, Record<string, unknown>>[];
  const { serverUrl, ...found } = (block?.notes ?? {}) as Record<string, unknown>;
  const entry = toOwnWords(client, serverUrl === undefined ? found : { ...found, url: serverUrl });
  const own = JSON.stringify({ [client === 'opencode' ? 'mcp' : 'mcpServers']: { notes: entry } });
  return parseConfig(own, { path: '', layer: 'import' }).entries[0]?.launch;
}

describe('a server for another client', () => {
  it.each(exportClients)('is for %s the same process and the same address as here', (client) => {
    const stdio = one(plain, client);
    expect(stdio.losses).toEqual([]);
    expect(readBack(stdio.text, client)).toMatchObject({ kind: 'stdio', ...plain });
    const http = one(remote, client);
    expect(http.losses).toEqual([]);
    expect(readBack(http.text, client)).toMatchObject({
      kind: 'http',
      url: remote.url,
      headers: remote.headers,
    });
  });

  it.each([
    ['claude-code', '${KEY}'],
    ['cursor', '${env:KEY}'],
    ['windsurf', '${env:KEY}'],
    ['vscode', '${env:KEY}'],
    ['copilot', '${KEY}'],
    ['gemini', '$KEY'],
    ['opencode', '{env:KEY}'],
    ['pi', '${KEY}'],
  ] as const)('has variables in the words of %s', (client, written) => {
    const { text, losses } = one({ command: 'a', env: { A: '${KEY}' } }, client);
    expect(text).toContain(JSON.stringify(written));
    expect(losses).toEqual([]);
  });

  it('passes variables on to Codex by their names', () => {
    const stdio = one({ command: 'a', env: { KEY: '${KEY}', LEVEL: 'debug' } }, 'codex');
    expect(stdio.text).toContain('env_vars = [ "KEY" ]');
    expect(stdio.losses).toEqual([]);
    const http = one(
      { url: 'https://a.example', headers: { Authorization: 'Bearer ${KEY}', 'X-Id': '${ID}' } },
      'codex',
    );
    expect(http.text).toContain('bearer_token_env_var = "KEY"');
    expect(http.text).toContain('X-Id = "ID"');
  });

  it.each(['claude-desktop', 'zed'] as const)(
    'leaves variables out for %s, and names them',
    (client) => {
      const { text, losses } = one({ command: 'a', env: { A: '${KEY}', B: 'b' } }, client);
      expect(text).not.toContain('KEY');
      expect(losses).toEqual([
        ['env.A', 'The client replaces no variables; set the value of KEY there.'],
      ]);
    },
  );

  it('never takes a secret along', () => {
    const secret = {
      command: 'a',
      args: ['--key', redactedSentinel],
      env: { 'MY-KEY': redactedSentinel },
    };
    expect(entryIn(secret, 'claude-code')).toEqual({
      type: 'stdio',
      command: 'a',
      args: ['--key', '${NOTES_SECRET}'],
      env: { 'MY-KEY': '${MY_KEY}' },
    });
    expect(one(secret, 'claude-code').losses).toEqual([
      ['args[1]', 'The secret is left out; set it as the variable NOTES_SECRET.'],
      ['env.MY-KEY', 'The secret is left out; set it as the variable MY_KEY.'],
    ]);
    expect(entryIn(secret, 'claude-desktop')).toEqual({ command: 'a', args: ['--key', '<…>'] });
    for (const client of exportClients) {
      expect(one(secret, client).text).not.toContain(redactedSentinel);
    }
  });

  it('keeps inputs for VS Code, with their declarations, and makes variables of them elsewhere', () => {
    const asks = { command: 'a', env: { A: '${input:key}' } };
    expect(JSON.parse(one(asks, 'vscode').text)).toEqual({
      servers: { notes: { type: 'stdio', ...asks } },
      inputs: [{ id: 'key', type: 'promptString', password: true }],
    });
    expect(one(asks, 'cursor')).toMatchObject({
      losses: [['env.A', 'The client asks for no inputs; set key as the variable KEY.']],
    });
    expect(entryIn(asks, 'cursor').env).toEqual({ A: '${env:KEY}' });
  });

  it('names every field that does not come along', () => {
    const rich = {
      ...plain,
      cwd: '${workspaceFolder}/x',
      envFile: '.env',
      requestTimeoutMs: 1000,
      lifecycle: 'eager',
      enabled: false,
      env: { A: '!pass show a', B: '${B:-c}', C: '${workspaceFolder}' },
    };
    expect(one(rich, 'claude-code').losses).toEqual([
      ['env.A', 'The client runs no command for a value; set the value there.'],
      ['env.C', 'The client does not replace ${workspaceFolder}; write it out there.'],
      ['cwd', 'The client does not know this field; it is left out.'],
      ['envFile', 'The client does not know this field; it is left out.'],
      ['requestTimeoutMs', 'The client does not know this field; it is left out.'],
      ['lifecycle', 'The client does not know this field; it is left out.'],
      ['enabled', 'The server is switched off here; there it will be on.'],
    ]);
    expect(entryIn(rich, 'claude-code').env.B).toBe('${B:-c}');
    expect(one(rich, 'vscode').losses.map(([field]) => field)).toEqual([
      ...['env.A', 'env.B', 'requestTimeoutMs', 'lifecycle', 'enabled'],
    ]);
    expect(entryIn(rich, 'vscode', 'servers').cwd).toBe('${workspaceFolder}/x');
    expect(one(rich, 'codex').text).toContain('tool_timeout_sec = 1');
    expect(one(rich, 'opencode').text).toContain('"enabled": false');
  });

  it('has the transport of a server that speaks only events', () => {
    const sse = { type: 'sse', url: 'https://a.example/sse' };
    expect(entryIn(sse, 'gemini')).toEqual({ url: sse.url });
    expect(entryIn(sse, 'claude-code')).toEqual(sse);
    expect(entryIn({ type: 'http', url: sse.url }, 'gemini')).toEqual({ httpUrl: sse.url });
  });

  it('is left out and named when its entry cannot be used; the others are there', () => {
    const { text, losses } = exportServers([server({ args: [] }, 'bad'), server(plain)], 'cursor');
    expect(Object.keys(JSON.parse(text).mcpServers)).toEqual(['notes']);
    expect(losses).toEqual([
      { server: 'bad', field: 'command', text: 'The entry cannot be used, so it is left out.' },
    ]);
  });
});
