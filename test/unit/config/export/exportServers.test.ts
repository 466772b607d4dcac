import { describe, expect, it } from 'vitest';
import { exportClients } from '../../../../src/config/export/clientFormats.js';
import { type ExportedServer, exportServers } from '../../../../src/config/export/exportServers.js';
import { parseCodexConfig } from '../../../../src/config/parse/codex.js';
import { toOwnWords } from '../../../../src/config/parse/dialects.js';
import { parseConfig } from '../../../../src/config/parse/parseConfig.js';
import type { ConfigField } from '../../../../src/config/schema/field.js';
import { configFields } from '../../../../src/config/schema/fields.js';
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

/** As far as we write it: maps and lists by indentation, every value in JSON. */
function readYaml(text: string): Record<string, unknown> {
  const lines = text.trimEnd().split('\n');
  let at = 0;
  const read = (indent: number): unknown => {
    const items: [string, unknown][] = [];
    let isList = false;
    for (; at < lines.length; ) {
      const [, blanks = '', key = '', value = ''] =
        /^( *)(-|[\w-]+:|"(?:[^"\\]|\\.)*":)(?: (.+))?$/.exec(lines[at] ?? '') ?? [];
      if (blanks.length < indent) {
        break;
      }
      at++;
      isList = key === '-';
      const name = key.startsWith('"') ? JSON.parse(key.slice(0, -1)) : key.slice(0, -1);
      items.push([name, value === '' ? read(indent + 2) : JSON.parse(value)]);
    }
    return isList ? items.map(([, item]) => item) : Object.fromEntries(items);
  };
  return read(0) as Record<string, unknown>;
}

/** What goose starts, in our words. */
function ofGoose(text: string) {
  const { extensions } = readYaml(text) as { extensions: Record<string, Record<string, never>> };
  const { cmd, args, envs, env_keys: keys = [], uri, headers } = extensions.notes ?? {};
  const passed = Object.fromEntries((keys as string[]).map((key) => [key, `\${${key}}`]));
  return uri === undefined
    ? { kind: 'stdio', command: cmd, args, env: { ...(envs as object | undefined), ...passed } }
    : { kind: 'http', url: uri, headers };
}

/** The launch as our own reader of the client's files finds it. */
function readBack(text: string, client: (typeof exportClients)[number]) {
  if (client === 'codex') {
    return parseCodexConfig(text, { path: 'config.toml', layer: 'import' }).entries[0]?.launch;
  }
  if (client === 'goose') {
    return ofGoose(text);
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
      expect(losses).toEqual([['env.A', 'The value is left out; set it there.']]);
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
      ['args[1]', 'Set the variable NOTES_SECRET there.'],
      ['env.MY-KEY', 'Set the variable MY_KEY there.'],
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
      losses: [['env.A', 'Set the variable KEY there.']],
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
      ['env.A', 'The value is left out; set it there.'],
      ['env.C', 'The client does not replace ${workspaceFolder}; write it out there.'],
      ['cwd', 'The client does not know this field; it is left out.'],
      ['envFile', 'The client does not know this field; it is left out.'],
      ['requestTimeoutMs', 'The client does not know this field; it is left out.'],
      ['lifecycle', 'The client does not know this field; it is left out.'],
      ['enabled', 'The server is disabled here; there it will be enabled.'],
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
      { server: 'bad', field: 'command', text: 'The entry cannot be used.' },
    ]);
  });
});

describe('every field of an entry, for every client', () => {
  const mark = 'M4RK';
  const sampleOf = ({ name, type, values = [] }: ConfigField): unknown => {
    switch (type) {
      case 'boolean':
        return name !== 'enabled';
      case 'number':
        return 987_000;
      case 'strings':
      case 'boolean-or-strings':
        return [mark];
      case 'map':
        return { [mark]: mark };
      case 'object':
      case 'boolean-or-object':
        return { [mark]: mark };
      case 'enum':
        return values.at(-1);
      default:
        return mark;
    }
  };
  /** By its value, or by its name where the value says nothing; a switch by where it stands. */
  const isThere = (text: string, name: string, sample: unknown) => {
    const isSwitch = name === 'enabled' || name === 'disabled';
    const key = isSwitch ? /"?enabled"? ?[:=] ?false/ : new RegExp(`"${name}": `);
    return (
      text.includes(mark) ||
      (typeof sample === 'number' && /\b987(?:000)?\b/.test(text.replaceAll('_', ''))) ||
      key.test(text)
    );
  };
  // they say what kind of server it is, which is there in the words of the client
  const kinds = new Set(['type', 'command', 'url', 'transport']);
  const fields = configFields.filter(({ name, role }) => role !== 'foreign' && !kinds.has(name));
  const cases = fields.flatMap((field) => exportClients.map((client) => [field, client] as const));

  it.each(cases.map(([field, client]) => [field.name, client, field] as const))(
    '%s for %s comes along, or is named',
    (name, client, field) => {
      const base = field.kind === 'http' ? remote : plain;
      const sample = sampleOf(field);
      const { text, losses } = one({ ...base, [name]: sample }, client);
      const lost = losses.map(([place]) => String(place));
      const isNamed =
        lost.some((place) => place === name || place.startsWith(`${name}.`)) ||
        (name === 'bearerTokenEnv' && lost.includes('headers.Authorization'));
      const isOffHere = name === 'disabled' && lost.includes('enabled');
      expect([name, client, isThere(text, name, sample) !== (isNamed || isOffHere)]).toEqual([
        name,
        client,
        true,
      ]);
    },
  );

  it('has values of variables where the client replaces them, and names the others', () => {
    const places = {
      command: { command: '${A}' },
      'args[0]': { command: 'a', args: ['--x=${A}'] },
      'env.A': { command: 'a', env: { A: '${A}' } },
      'env.B': { command: 'a', env: { B: 'x${A}' } },
      url: { url: 'https://a.example/${A}' },
      'headers.X': { url: 'https://a.example', headers: { X: '${A}' } },
      'headers.Y': { url: 'https://a.example', headers: { Y: 'x ${A}' } },
    };
    const lostBy = (client: (typeof exportClients)[number]) =>
      Object.entries(places).flatMap(([field, entry]) =>
        one(entry, client).losses.length > 0 ? [field] : [],
      );
    expect(lostBy('claude-code')).toEqual([]);
    expect(lostBy('codex')).toEqual(['command', 'args[0]', 'env.B', 'url', 'headers.Y']);
    expect(lostBy('goose')).toEqual(['command', 'args[0]', 'env.B', 'url']);
    expect(lostBy('zed')).toEqual(Object.keys(places));
  });

  it('says where a server that sends events alone is not reached', () => {
    const lost = exportClients.filter(
      (client) => one({ type: 'sse', url: 'https://a.example/sse' }, client).losses.length > 0,
    );
    expect(lost).toEqual(['codex', 'zed']);
  });
});

it('is YAML for goose, whatever stands in it', () => {
  const odd = {
    command: 'a: b',
    args: ['#x', "it's", '- y', '', 'ä\n'],
    env: { yes: 'no', 'A-B': '1', KEY: '${KEY}' },
  };
  const { text, language } = one(odd, 'goose');
  expect(language).toBe('yaml');
  expect(ofGoose(text)).toEqual({
    kind: 'stdio',
    command: odd.command,
    args: odd.args,
    env: odd.env,
  });
  expect(text).toContain('"yes": "no"');
});

it.each(exportClients)(
  'shows nothing for %s that hides or turns text, and means the same',
  (client) => {
    const odd = {
      command: 'a\u202eb',
      args: ['\u009b31m', '\u{e0041}x', '\u200b'],
      env: { A: '\u007f' },
    };
    const { text } = one(odd, client);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(readBack(text, client)).toMatchObject({ ...odd });
  },
);
