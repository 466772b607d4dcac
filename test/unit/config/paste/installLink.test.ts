import { describe, expect, it } from 'vitest';
import {
  isInstallLink,
  serverOfLink,
  serverOfQuery,
} from '../../../../src/config/paste/installLink.js';
import { parsePastedServers } from '../../../../src/config/paste/pastedServers.js';

const entry = { command: 'npx', args: ['-y', 'a b@1'], env: { KEY: '100%' } };
const json = JSON.stringify(entry);
const base64 = Buffer.from(json).toString('base64');
const named = JSON.stringify({ name: 'notes', ...entry });
const remote = { type: 'http', url: 'https://mcp.example.com/mcp' };

describe('a link that adds a server', () => {
  it.each([
    '\u200b',
    '\u202e',
    '\u2066',
    '\u00ad',
    '\ufe0f',
    '\u{e0041}',
    '\u3164',
    '\u00a0',
    '\u2800',
    '\u0007',
    '\n',
  ])('is refused with %j in any of its fields', (hidden) => {
    const whole = {
      name: 'notes',
      command: 'npx',
      args: ['-y', 'a'],
      env: { KEY: 'v' },
      cwd: '/a',
      headers: { H: 'v' },
      url: 'https://a.example/',
      type: 'http',
    };
    const linkOf = (text: string) =>
      `https://vscode.dev/redirect/mcp/install?config=${encodeURIComponent(text)}`;
    const text = JSON.stringify(whole);
    expect(serverOfLink(linkOf(text)).name).toBe('notes');
    const values = ['notes', 'npx', '-y', 'KEY', '"v"', '/a', '"H"', 'a.example/', 'http"'];
    for (const value of values) {
      const escaped = JSON.stringify(hidden).slice(1, -1);
      const changed = text.replace(value, `${value.slice(0, -1)}${escaped}${value.slice(-1)}`);
      expect(changed).not.toBe(text);
      expect(() => serverOfLink(linkOf(changed)), value).toThrow('cannot be seen');
    }
  });

  it.each([
    { url: 'https://user:secret@a.example/mcp' },
    { url: 'https://good.example@evil.example/mcp' },
    { url: 'https://:secret@a.example/mcp' },
    { url: 'HTTPS://user@a.example' },
    { url: 'https:\\\\user:secret@a.example/mcp' },
    { url: 'https://${USER}:${PASSWORD}@a.example/mcp' },
    { url: 'https://${USER}@a.example/mcp' },
    { url: 'https:///user:secret@a.example/mcp' },
    { command: 'npx', args: ['-y', 'mcp-remote', 'https://user:secret@a.example/mcp'] },
    { command: 'npx', args: ['a'], env: { BASE_URL: 'http://user:secret@a.example' } },
  ])('is refused with credentials in the address: %j', (config) => {
    const link = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'a', ...config }))}`;
    expect(() => serverOfLink(link)).toThrow();
    expect(() => parsePastedServers(link)).toThrow();
  });

  it.each([
    [`vscode:mcp/install?${encodeURIComponent(named)}`],
    [`vscode-insiders:mcp/install?${encodeURIComponent(named)}`],
    [`https://vscode.dev/redirect/mcp/install?name=notes&config=${encodeURIComponent(json)}`],
    [
      `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode-insiders:mcp/install?${encodeURIComponent(named)}`)}`,
    ],
    [
      `cursor://anysphere.cursor-deeplink/mcp/install?name=notes&config=${encodeURIComponent(base64)}`,
    ],
    [
      `cursor://anysphere.cursor-deeplink/mcp/install?name=notes&config=${encodeURIComponent(encodeURIComponent(base64))}`,
    ],
    [`https://cursor.com/en/install-mcp?name=notes&config=${encodeURIComponent(base64)}`],
    [`lmstudio://add_mcp?name=notes&config=${encodeURIComponent(base64)}`],
    [`goose://extension?cmd=npx&arg=-y&arg=a%20b%401&env=KEY%3D100%25&name=notes&timeout=300`],
    [`https://vs-open.link/mcp-install?${encodeURIComponent(named)}`],
    [`vscode://pi-mcp.pi-mcp/add?name=notes&config=${encodeURIComponent(json)}`],
    [`vscode://pi-mcp.pi-mcp/add?config=${encodeURIComponent(named)}`],
    [`vscode-insiders://pi-mcp.pi-mcp/add?name=notes&config=${encodeURIComponent(base64)}`],
  ])('is read from %s', (link) => {
    expect(isInstallLink(link)).toBe(true);
    expect(serverOfLink(link)).toEqual({ name: 'notes', entry });
    expect(parsePastedServers(` ${link}\n`)).toEqual([{ name: 'notes', entry }]);
  });

  it.each([
    `name=notes&config=${json}`,
    `config=${json}&name=notes`,
    `config=${named}`,
    `name=notes&config=${base64}`,
  ])('is read as VS Code hands it over: %s', (query) => {
    expect(serverOfQuery('/add', query)).toEqual({ name: 'notes', entry });
  });

  it('keeps what separates values of a query where it is part of one', () => {
    const tricky = { command: 'x', args: ['a=b&name=c', '100%', 'a+b'] };
    expect(serverOfQuery('/add', `name=n&config=${JSON.stringify(tricky)}`)).toEqual({
      name: 'n',
      entry: tricky,
    });
    expect(() => serverOfQuery('/other', `config=${json}`)).toThrow('describes no MCP server');
  });

  it('may lead to an address, and have no name', () => {
    const link = `vscode:mcp/install?${encodeURIComponent(JSON.stringify(remote))}`;
    expect(serverOfLink(link)).toEqual({ name: 'example', entry: remote });
    expect(
      serverOfLink(
        'goose://extension?type=streamable_http&url=https%3A%2F%2Fa.example%2Fmcp&name=a',
      ),
    ).toEqual({
      name: 'a',
      entry: { type: 'http', url: 'https://a.example/mcp' },
    });
  });

  it('sets no field that reads a file or is for developers', () => {
    const config = {
      ...entry,
      envFile: '/etc/passwd',
      dev: { watch: '**' },
      inputs: [],
      gallery: true,
    };
    const link = `vscode:mcp/install?${encodeURIComponent(JSON.stringify(config))}`;
    expect(serverOfLink(link).entry).toEqual(entry);
  });

  it.each([
    ['nothing', 'vscode:mcp/install'],
    ['no JSON', 'vscode:mcp/install?x'],
    ['no server', `vscode:mcp/install?${encodeURIComponent('{"name":"a"}')}`],
    ['a script', `vscode:mcp/install?${encodeURIComponent('{"url":"javascript:alert(1)"}')}`],
    ['a program that is no text', `vscode:mcp/install?${encodeURIComponent('{"command":{}}')}`],
  ])('with %s is none', (_what, link) => {
    expect(() => serverOfLink(link)).toThrow('The text describes no MCP server.');
  });

  it.each([
    ['a control character', { ...entry, args: ['a\u0007'] }],
    ['text that turns', { ...entry, env: { 'A\u202e': 'b' } }],
  ])('that hides %s is refused', (_what, config) => {
    const link = `vscode:mcp/install?${encodeURIComponent(JSON.stringify(config))}`;
    expect(() => serverOfLink(link)).toThrow('characters that cannot be seen');
  });

  it('is not read when it is longer than 32 KB', () => {
    const link = (length: number) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ command: 'a'.repeat(length) }))}`;
    expect(isInstallLink(link(30_000))).toBe(true);
    expect(isInstallLink(link(33_000))).toBe(false);
  });

  it.each([
    'https://example.com/redirect/mcp/install?name=a&config=%7B%7D',
    'https://vscode.dev/other',
    'vscode://other.extension/add?config=%7B%7D',
    'file:///etc/passwd',
    'npx -y a',
  ])('is not %s', (text) => {
    expect(isInstallLink(text)).toBe(false);
  });
});
