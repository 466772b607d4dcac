/** Every command of the built command line, on three servers of npm and one over HTTP. */
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type EverythingHttp, startEverythingHttp } from '../fixtures/everythingHttp.js';
import { WindowsMachine, windowsPath, windowsServer } from '../helpers/windows/windowsMachine.js';

let machine: WindowsMachine;
let remote: EverythingHttp;

const serverNames = ['everything', 'filesystem', 'memory', 'remote'];

beforeAll(async () => {
  machine = await WindowsMachine.create();
  remote = await startEverythingHttp();
  await machine.writeServers({
    memory: windowsServer('server-memory/dist/index.js'),
    filesystem: windowsServer('server-filesystem/dist/index.js', windowsPath(machine.folder)),
    everything: windowsServer('server-everything/dist/index.js', 'stdio'),
    remote: { url: remote.url },
  });
});
afterAll(async () => {
  await remote?.close();
  await machine?.dispose();
});
afterEach(async () => {
  // a command leaves none of its servers behind
  await expect.poll(() => machine.running()).toEqual([]);
});

describe('servers', () => {
  it('list names them, with the paths of Windows', async () => {
    const { status, document } = await machine.json('list');
    expect(status).toBe(0);
    expect(document.servers.map(({ name }: { name: string }) => name).sort()).toEqual(serverNames);
    expect(document.servers[0].source).toBe(windowsPath(join(machine.folder, '.mcp.json')));
  });

  it('trust shows what would run, and it runs from then on', async () => {
    expect((await machine.json('probe')).status).toBe(1);
    const { document, error } = await machine.json('trust', '--yes');
    expect(document.granted.sort()).toEqual(['everything', 'filesystem', 'memory', 'remote']);
    expect(error).toContain('server-memory\\dist\\index.js');
    expect((await machine.json('probe', '--server', 'memory')).status).toBe(0);
    expect((await machine.json('revoke')).document.revoked).toBe(true);
  });

  it('probe connects all of them', async () => {
    const { status, document } = await machine.json('probe', '--trust');
    const states = document.servers.map(({ name, state }: Record<string, string>) => [name, state]);
    expect(states.sort()).toEqual(serverNames.map((name) => [name, 'connected']));
    expect(status).toBe(0);
  });

  it.each([
    ['probe', '--server', 'memory', '--trust'],
    ['call', 'memory', 'read_graph', '{}', '--trust'],
  ])('%s ends soon after its answer', async (...args) => {
    const { status, answerMs, endMs } = await machine.json(...args);
    expect(status).toBe(0);
    // a stop that relies on a program which is missing takes a minute, thirty times as long as the answer
    expect(endMs / answerMs).toBeLessThan(5);
  });

  it('tools and search find them, and call runs them', async () => {
    const { document } = await machine.json('tools', '--trust');
    const names = document.tools.map(({ name }: { name: string }) => name);
    expect(names).toContain('memory__read_graph');
    const search = await machine.json('search', 'read a file', '--trust');
    expect(JSON.stringify(search.document)).toContain('filesystem__read');
    await machine.write('work/note.txt', 'said on Windows');
    const path = windowsPath(join(machine.folder, 'note.txt'));
    const read = await machine.json(
      'call',
      'filesystem',
      'read_text_file',
      JSON.stringify({ path }),
      '--trust',
    );
    expect(read.document.content[0].text).toBe('said on Windows');
    const echo = await machine.json('call', 'remote', 'echo', '{"message":"hi"}', '--trust');
    expect(echo.document.content[0].text).toContain('hi');
  });

  it('doctor knows the machine', async () => {
    const { document } = await machine.json('doctor');
    expect(JSON.stringify(document)).toContain('win32');
  });
});

describe('configuration', () => {
  it('add, get, disable, enable, copy, export and remove work on files with CRLF', async () => {
    const text =
      '{\r\n  "mcpServers": {\r\n    // kept\r\n    "a": { "command": "node" }\r\n  }\r\n}\r\n';
    await machine.write('work/.mcp.json', text);
    const added = await machine.json('add', 'b', '--scope', 'project', '--', 'node', 'b.js');
    expect([added.status, added.error]).toEqual([0, added.error]);
    const written = machine.read('work/.mcp.json');
    expect(written).toContain('// kept\r\n');
    expect(written.replaceAll('\r\n', '')).not.toContain('\n');
    expect((await machine.cli('get', 'b')).out).toContain('command: node b.js');
    expect((await machine.json('disable', 'b')).status).toBe(0);
    const listed = await machine.json('list');
    const states = (document: { servers: { name: string; state: string }[] }) =>
      Object.fromEntries(document.servers.map(({ name, state }) => [name, state]));
    expect(states(listed.document).b).toBe('disabled');
    expect((await machine.json('enable', 'b')).status).toBe(0);
    expect((await machine.json('export', 'claude-code', 'b')).status).toBe(0);
    expect((await machine.json('trust', 'b', '--yes')).status).toBe(0);
    expect((await machine.json('copy', 'b', '--scope', 'user')).status).toBe(0);
    expect((await machine.json('remove', 'b', '--scope', 'project')).status).toBe(0);
    expect(machine.read('work/.mcp.json')).toBe(text);
  });

  it('import reads another program, where Windows has its files', async () => {
    await machine.write('home/.cursor/mcp.json', { mcpServers: { c: { command: 'node' } } });
    const { status, document } = await machine.json('import', 'cursor', '--yes');
    expect(status).toBe(0);
    expect(JSON.stringify(document)).toContain('"c"');
  });

  it('profile and completion answer', async () => {
    expect((await machine.json('profile', 'list')).status).toBe(0);
    expect((await machine.cli('completion', 'bash')).out).toContain('pi-mcp');
  });
});
