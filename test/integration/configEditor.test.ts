import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Emitter } from '../../src/base/event.js';
import { serverId, type WorkspaceFolder } from '../../src/config/definition.js';
import { ConfigDiscovery } from '../../src/config/discovery/configDiscovery.js';
import { ConfigurationEditor } from '../../src/config/edit/configurationEditor.js';
import { NodeFileWatcher } from '../../src/platform/nodeFileWatcher.js';
import { nullLogger } from '../../src/platform/ports.js';

let root: string;
let home: string;
let folder: WorkspaceFolder;
let file: string;
let userFile: string;
let discovery: ConfigDiscovery;
let editor: ConfigurationEditor;
let notices: string[];
let variables: Record<string, string>;
const hidden = '***REDACTED***';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-editor-'));
  home = join(root, 'home');
  notices = [];
  variables = {};
  const fsPath = join(root, 'w');
  await mkdir(home);
  await mkdir(fsPath);
  folder = { uri: pathToFileURL(fsPath).toString(), name: 'w', fsPath };
  file = join(fsPath, '.mcp.json');
  userFile = join(home, '.pi', 'agent', 'mcp.json');
  discovery = new ConfigDiscovery({
    workspace: {
      folders: [folder],
      isTrusted: true,
      onDidChangeFolders: new Emitter<void>().event,
      onDidChangeTrust: new Emitter<void>().event,
    },
    environment: {
      platform: process.platform,
      homeDir: home,
      getVariable: (name) => variables[name],
      allVariables: () => ({}),
      loginShellPath: async () => '',
    },
    watcher: new NodeFileWatcher(),
    logger: nullLogger,
    globalConfigPath: () => undefined,
  });
  editor = new ConfigurationEditor(discovery, {
    homeDir: home,
    onNotice: (sentence) => void notices.push(sentence),
    onMoved: () => Promise.resolve(),
    assertConsented: () => undefined,
    carry: async () => ({ takeBack: async () => undefined, forgetOld: async () => undefined }),
  });
});

afterEach(async () => {
  discovery.dispose();
  await rm(root, { recursive: true, force: true });
});

async function start(files: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
  }
  await discovery.start();
}

const idOf = (name: string) => serverId(folder.uri, name);
const json = async (path: string) => JSON.parse(await readFile(path, 'utf8'));
const names = () => discovery.pools.value.map((pool) => pool.definitions.map(({ name }) => name));

describe('the configuration editor', () => {
  it('adds to files that do not exist yet, and the pools show it at once', async () => {
    await start();
    await editor.addServer('global', 'g', { command: 'x', env: { TOKEN: 't' } });
    await editor.addServer(folder.uri, 'p', { url: 'https://a' });
    expect(names()).toEqual([['g'], ['p']]);
    expect((await stat(userFile)).mode & 0o777).toBe(0o600);
    expect((await stat(file)).mode & 0o077).not.toBe(0);
  });

  describe.skipIf(process.platform === 'win32')('a file that others can read', () => {
    const token = 'ghp_q8Zr4Kx1Vw9Tn3Lb7Ys5Hd2Jc6Mf0Pa4Eg8R';
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
    const withToken = { command: 'x', env: { TOKEN: token } };
    const open = async (path: string, mode: number, servers: unknown = {}) => {
      await start({ [path]: JSON.stringify({ mcpServers: servers }) });
      await chmod(path, mode);
    };

    it.each([0o644, 0o664, 0o604])(
      'is closed when a secret comes, and said once: %o',
      async (mode) => {
        await open(userFile, mode);
        await editor.addServer('global', 'plain', { command: 'x', env: { TOKEN: '${env:TOKEN}' } });
        expect([await modeOf(userFile), notices]).toEqual([mode, []]);
        await editor.addServer('global', 'g', withToken);
        await editor.addServer('global', 'h', withToken);
        expect(await modeOf(userFile)).toBe(0o600);
        await expect.poll(() => notices).toEqual([expect.stringContaining(userFile)]);
        expect(notices.join()).not.toContain(token);
      },
    );

    it('is closed when a write leaves a secret in it that was there before', async () => {
      await open(userFile, 0o644, { old: withToken });
      expect(await modeOf(userFile)).toBe(0o644);
      await editor.addServer('global', 'g', { command: 'x' });
      expect(await modeOf(userFile)).toBe(0o600);
    });

    it('is closed no further than it was', async () => {
      await open(userFile, 0o400);
      await editor.addServer('global', 'g', withToken).catch(() => undefined);
      expect([await modeOf(userFile), notices]).toEqual([0o400, []]);
    });

    it('stays as it is where it is that of a project', async () => {
      await open(file, 0o644, { old: withToken });
      await editor.addServer(folder.uri, 'p', withToken);
      expect([await modeOf(file), notices]).toEqual([0o644, []]);
    });
  });

  it('adds several at once or none, and shows before what that would write', async () => {
    const text = '{\n  // mine\n  "mcpServers": { "a": { "command": "x" } }\n}\n';
    await start({ [file]: text });
    const servers = [
      { name: 'b', entry: { url: 'https://b' } },
      { name: 'c', entry: { command: 'c', enabled: true } },
    ];
    const change = await editor.previewAdd(folder.uri, servers);
    expect([change.path, change.before]).toEqual([file, text]);
    expect(await readFile(file, 'utf8')).toBe(text);
    await editor.addServers(folder.uri, servers);
    expect(await readFile(file, 'utf8')).toBe(change.after);
    expect(change.after).toContain('// mine');
    expect(names()).toEqual([[], ['a', 'b', 'c']]);
    const withTaken = [{ name: 'd', entry: { command: 'd' } }, ...servers];
    await expect(editor.addServers(folder.uri, withTaken)).rejects.toMatchObject({
      code: 'server_name_taken',
    });
    expect(await readFile(file, 'utf8')).toBe(change.after);
  });

  it('takes back what it did, byte for byte, and never what others did', async () => {
    const texts = [
      '',
      '{ }\n',
      '{"mcpServers": {\n}}',
      '\uFEFF// mine\r\n{ "disabled": false,\r\n}',
    ];
    await start({ [file]: '' });
    for (const text of texts) {
      await writeFile(file, text);
      await discovery.reload();
      await editor.addServer(folder.uri, 'a', { command: 'x', env: { A: '1' } });
      await editor.setEnabled(idOf('a'), false);
      await editor.setEnabled(idOf('a'), true);
      await editor.removeServer(idOf('a'));
      expect(await readFile(file, 'utf8')).toBe(text);
    }
    await editor.addServer(folder.uri, 'a', { command: 'x' });
    await writeFile(file, `${await readFile(file, 'utf8')}// of somebody else\n`);
    await editor.removeServer(idOf('a'));
    expect(await readFile(file, 'utf8')).toContain('// of somebody else');
  });

  it('previews a file that does not exist yet without creating it', async () => {
    await start();
    const servers = [{ name: 'a', entry: { command: 'x' } }];
    const { before, after } = await editor.previewAdd('global', servers);
    expect([before, JSON.parse(after)]).toEqual(['', { mcpServers: { a: { command: 'x' } } }]);
    await expect(stat(userFile)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('keeps servers of another program as live references', async () => {
    const cursor = join(home, '.cursor', 'mcp.json');
    await start({
      [cursor]: '{"mcpServers": {"borrowed": {"command": "x"}}}',
      [userFile]: '{"imports": ["windsurf", "of-the-future"]}',
    });
    await editor.addImports('global', ['cursor', 'windsurf']);
    expect(await json(userFile)).toEqual({ imports: ['windsurf', 'of-the-future', 'cursor'] });
    expect(names()).toEqual([['borrowed'], []]);
    const id = serverId('global', 'borrowed');
    const change = editor.updateServer(id, { entry: { command: 'y' } });
    await expect(change).rejects.toMatchObject({ code: 'server_imported' });
    await expect(editor.removeServer(id)).rejects.toMatchObject({ code: 'server_imported' });
    expect(await json(cursor)).toEqual({ mcpServers: { borrowed: { command: 'x' } } });
  });

  it('shows secrets hidden and keeps them through an edit and a rename', async () => {
    const text =
      '{\n  // mine\n  "mcpServers": {"a": {"command": "x", "env": {"K_TOKEN": "hunter22"}, "custom": 1}}\n}\n';
    await start({ [file]: text });
    const { entry } = await editor.read(idOf('a'));
    expect(entry).toEqual({ command: 'x', env: { K_TOKEN: hidden }, custom: 1 });
    await editor.updateServer(idOf('a'), { name: 'b', entry: { ...entry, command: 'y' } });
    expect(await readFile(file, 'utf8')).toBe(text.replace('"a"', '"b"').replace('"x"', '"y"'));
    expect(names()).toEqual([[], ['b']]);
    await editor.updateServer(idOf('b'), { entry: { env: { K2_TOKEN: hidden } } });
    expect((await json(file).catch(() => undefined)) ?? (await readFile(file, 'utf8'))).toContain(
      '"K2_TOKEN": "hunter22"',
    );
  });

  it('refuses what would be invalid and writes nothing', async () => {
    const text = '{"mcpServers":{"a":{"command":"x"}}}';
    await start({ [file]: text });
    await expect(editor.addServer(folder.uri, 'b', { command: '' })).rejects.toMatchObject({
      code: 'empty-command',
    });
    await expect(editor.addServer(folder.uri, 'b', { enabled: false })).rejects.toMatchObject({
      code: 'no-command-or-url',
    });
    await expect(
      editor.addServer(folder.uri, 'b', { command: 'x', env: { A: hidden } }),
    ).rejects.toMatchObject({ code: 'secret_unknown' });
    await expect(editor.updateServer(idOf('a'), { entry: { command: 3 } })).rejects.toMatchObject({
      code: 'wrong-type',
    });
    await expect(editor.updateServer(idOf('gone'), { entry: {} })).rejects.toMatchObject({
      code: 'server_unknown',
    });
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  it('never writes a file with a syntax error', async () => {
    await start({ [file]: '{"mcpServers":{"a":{"command":"x"}}}' });
    await writeFile(file, '{"mcpServers":{');
    await expect(editor.removeServer(idOf('a'))).rejects.toMatchObject({ code: 'config_broken' });
    await expect(editor.addServer(folder.uri, 'b', { command: 'x' })).rejects.toMatchObject({
      code: 'config_broken',
    });
    expect(await readFile(file, 'utf8')).toBe('{"mcpServers":{');
  });

  it('switches a server where its switch stands', async () => {
    const shared = join(home, '.config', 'mcp', 'mcp.json');
    await start({
      [shared]: '{"mcpServers":{"a":{"command":"x"}}}',
      [userFile]: '{"mcpServers":{"a":{"enabled":false}}}',
    });
    const id = serverId('global', 'a');
    expect(discovery.find(id)?.enabled).toBe(false);
    await editor.setEnabled(id, true);
    expect(await json(userFile)).toEqual({ mcpServers: {} });
    expect(discovery.find(id)?.enabled).toBe(true);
    await editor.setEnabled(id, false);
    expect(await json(shared)).toEqual({ mcpServers: { a: { command: 'x', enabled: false } } });
  });

  it('switches a server of another program on in the file that switches it off', async () => {
    const shared = join(home, '.config', 'mcp', 'mcp.json');
    await start({
      [join(home, '.cursor', 'mcp.json')]: '{"mcpServers":{"a":{"command":"x"}}}',
      [shared]: '{"imports":["cursor"],"mcpServers":{"a":{"enabled":false}}}',
    });
    const id = serverId('global', 'a');
    expect(discovery.find(id)?.enabled).toBe(false);
    await editor.setEnabled(id, true);
    expect(await json(shared)).toEqual({ imports: ['cursor'], mcpServers: {} });
    expect(discovery.find(id)?.enabled).toBe(true);
  });

  it('makes no file for a switch where another one cannot be edited', async () => {
    await start({
      [join(home, '.cursor', 'mcp.json')]: '{"mcpServers":{"a":{"command":"x"}}}',
      [join(home, '.config', 'mcp', 'mcp.json')]: '{"imports":["cursor"]}',
      [file]: '{"mcpServers":{"b":{"command":"y"}}}',
    });
    await writeFile(file, '{');
    const switches = [serverId('global', 'a'), idOf('b')].map((id) => ({ id, isEnabled: false }));
    await expect(editor.setEnabledTogether(switches)).rejects.toMatchObject({
      code: 'config_broken',
    });
    await expect(stat(userFile)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('saves servers of the files of Pilot where they stand', async () => {
    variables.PILOT_DIR = join(root, 'pilot');
    const text = '{"mcpServers":{"a":{"transport":"stdio","command":"x","enabled":true}}}';
    const files = [join(root, 'pilot', 'mcp.json'), join(root, 'w', '.pilot', 'mcp.json')];
    await start(Object.fromEntries(files.map((path) => [path, text])));
    const entry = { transport: 'stdio', command: 'y', enabled: true };
    await editor.updateServer(serverId('global', 'a'), { entry });
    await editor.updateServer(idOf('a'), { entry });
    for (const path of files) {
      expect(await json(path)).toEqual({ mcpServers: { a: entry } });
    }
    expect(names()).toEqual([['a'], ['a']]);
  });

  it('edits the mcp block of Pi settings and nothing beside it', async () => {
    const settings = join(home, '.pi', 'agent', 'settings.json');
    await start({
      [settings]: '{"theme":"dark","mcp":{"a":{"type":"local","command":["x","y"]}}}',
    });
    await editor.setEnabled(serverId('global', 'a'), false);
    expect(await json(settings)).toEqual({
      theme: 'dark',
      mcp: { a: { type: 'local', command: ['x', 'y'], enabled: false } },
    });
    await editor.removeServer(serverId('global', 'a'));
    expect(await json(settings)).toEqual({ theme: 'dark', mcp: {} });
  });

  it('sets the master switch of a pool', async () => {
    await start({ [join(home, '.config', 'mcp', 'mcp.json')]: '{"disabled":true}' });
    expect(discovery.pools.value[0]?.isMasterDisabled).toBe(true);
    await editor.setMasterDisabled('global', false);
    expect(discovery.pools.value[0]?.isMasterDisabled).toBe(false);
    await editor.setMasterDisabled(folder.uri, true);
    expect(discovery.pools.value[1]?.isMasterDisabled).toBe(true);
  });

  it('sets settings of a pool, and refuses what would be ignored', async () => {
    await start();
    await editor.updateSettings('global', { idleTimeout: 5, approveTools: ['a*'] });
    expect(discovery.pools.value[0]?.settings).toEqual({ idleTimeout: 5, approveTools: ['a*'] });
    expect(await editor.readSettings('global')).toEqual({ idleTimeout: 5, approveTools: ['a*'] });
    const refused = editor.updateSettings('global', { idleTimeout: -1 });
    await expect(refused).rejects.toMatchObject({ code: 'wrong-setting' });
    await editor.updateSettings('global', { idleTimeout: undefined });
    expect(discovery.pools.value[0]?.settings).toEqual({ approveTools: ['a*'] });
  });

  it('creates the primary file once', async () => {
    await start();
    expect(await editor.ensureFile(folder.uri)).toBe(file);
    expect(await readFile(file, 'utf8')).toBe('{\n  "mcpServers": {}\n}\n');
    await writeFile(file, '{"mine": 1}');
    await editor.ensureFile(folder.uri);
    expect(await readFile(file, 'utf8')).toBe('{"mine": 1}');
  });

  it('keeps every one of many edits at once', async () => {
    await start();
    const wanted = [...Array(20).keys()].map((n) => `s${n}`);
    await Promise.all(wanted.map((name) => editor.addServer(folder.uri, name, { command: 'x' })));
    expect(new Set(names()[1])).toEqual(new Set(wanted));
  });
});
