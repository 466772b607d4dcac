/** Servers of other programs from the command line: real processes, real files. */
import { access, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { useCommandFolder } from '../helpers/commandLine.js';
import { memory, noted, notedPids } from '../helpers/coreHarness.js';

const { root, folder, home, userFile, projectFile, write, run, json } = useCommandFolder();

it('tells what other programs have, and takes nothing', async () => {
  await write(home('.cursor/mcp.json'), { mcpServers: { a: memory } });
  await write(join(folder(), '.gemini/settings.json'), {
    mcpServers: { b: { httpUrl: 'https://b.example' } },
  });
  await write(home('.config/zed/settings.json'), '{ "context_servers": {');
  const { status, document } = await json('import');
  expect([status, document.importable]).toMatchObject([
    0,
    [
      { source: 'cursor', scope: 'user', servers: ['a'] },
      { source: 'gemini', scope: 'project', servers: ['b'] },
      {
        source: 'zed',
        scope: 'user',
        servers: [],
        problems: [expect.stringContaining('syntax error')],
      },
    ],
  ]);
  await expect(access(home('.pi'))).rejects.toThrow();
});

it('copies them when that was confirmed, and says what has no effect here', async () => {
  await write(home('.config/Code/User/mcp.json'), {
    servers: { a: { ...memory, envFile: home('a.env'), sandboxEnabled: true }, b: memory, c: {} },
  });
  await write(userFile(), '{\n  // mine\n  "mcpServers": { "b": { "command": "x" } }\n}\n');
  const unasked = await json('import', 'vscode');
  expect([unasked.status, unasked.document.error.code]).toEqual([1, 'unconfirmed']);
  expect(unasked.error).toContain(memory.args[0]);
  const { status, document } = await json('import', 'vscode', '--yes');
  expect([status, document]).toMatchObject([
    0,
    {
      scope: 'user',
      path: userFile(),
      servers: [{ name: 'a', source: 'vscode', ignored: ['sandboxEnabled'] }],
      skipped: [
        { name: 'b', reason: 'server_name_taken' },
        { name: 'c', reason: 'invalid' },
      ],
    },
  ]);
  const text = await readFile(userFile(), 'utf8');
  expect(text).toMatch(
    /\/\/ mine[\s\S]*"b": \{ "command": "x" \},[\s\S]*"a":[\s\S]*"envFile": "\S*\/a\.env"/,
  );
  const missing = await json('probe', '--server', 'a');
  expect(missing.document.servers[0].error.code).toBe('env_file');
  await write(home('a.env'), 'A=1\n');
  expect(await json('probe', '--server', 'a')).toMatchObject({ status: 0 });
});

it.each(['CODEX_HOME', 'COPILOT_HOME'])('looks where "--home" says, and not %s', async (name) => {
  vi.stubEnv(name, join(root(), 'elsewhere'));
  onTestFinished(() => void vi.unstubAllEnvs());
  await write(join(root(), 'elsewhere/config.toml'), '[mcp_servers.a]\ncommand = "x"\n');
  await write(join(root(), 'elsewhere/mcp-config.json'), { mcpServers: { a: memory } });
  expect((await json('import')).document.importable).toEqual([]);
});

it('copies the one that is named', async () => {
  await write(home('.gemini/settings.json'), { mcpServers: { a: memory, b: memory } });
  const { status, document } = await json('import', 'gemini', '--server', 'b', '--yes');
  expect([status, document.servers]).toMatchObject([0, [{ name: 'b' }]]);
});

it('shows them as they are there, when they are to stay there', async () => {
  await write(home('.gemini/settings.json'), { mcpServers: { a: memory } });
  expect((await json('import', 'gemini', '--link')).document).toMatchObject({
    action: 'linked',
    path: userFile(),
  });
  expect((await json('list')).document.servers).toMatchObject([
    { name: 'a', layer: 'import', state: 'idle' },
  ]);
});

it('takes what a folder holds nowhere but into its own file, where it waits', async () => {
  const pids = join(root(), 'pids');
  await write(join(folder(), '.cursor/mcp.json'), { mcpServers: { theirs: noted(pids, memory) } });
  for (const scope of ['user', 'local']) {
    const { document } = await json('import', 'cursor', '--scope', scope, '--yes');
    expect(document.servers).toEqual([]);
  }
  const { document } = await json('import', 'cursor', '--scope', 'project', '--yes');
  expect(document.servers).toMatchObject([{ name: 'theirs' }]);
  expect(await json('probe')).toMatchObject({
    document: { servers: [{ state: 'trust_required' }] },
  });
  expect(await notedPids(pids)).toEqual([]);
});

it('follows no link out of the folder, and obeys no name', async () => {
  const outside = join(root(), 'outside.json');
  await write(outside, { mcpServers: { secret: memory } });
  await mkdir(join(folder(), '.cursor'));
  await symlink(outside, join(folder(), '.cursor/mcp.json'));
  expect((await json('import')).document.importable).toEqual([]);
  const name = 'a\u001b]0;title\u0007\nyes';
  await write(home('.cursor/mcp.json'), {
    mcpServers: { [name]: { command: '\u001b[2J\u202ecod' } },
  });
  const { error, out } = await run('import', 'cursor');
  expect(error + out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(error).not.toMatch(/^yes/m);
});

it('writes no secret of the user into a file of the folder', async () => {
  const entry = { url: 'https://a.example', headers: { Authorization: 'Bearer 0b1c9f1e77aa' } };
  await write(join(folder(), '.cursor/mcp.json'), { mcpServers: { a: entry } });
  const { document } = await json('import', 'cursor', '--scope', 'project', '--yes');
  expect(document.error.code).toBe('secret_shared');
  await expect(access(projectFile())).rejects.toThrow();
});

it('takes the inputs of VS Code along, under a name that means nothing else yet', async () => {
  const key = { id: 'key', type: 'promptString', description: 'API key', password: true };
  await write(home('.config/Code/User/mcp.json'), {
    inputs: [key, { id: 'unused', type: 'promptString' }],
    servers: { a: { ...memory, env: { KEY: '${input:key}' } } },
  });
  await write(userFile(), { inputs: [{ ...key, description: 'Another' }], mcpServers: {} });
  expect((await json('import', 'vscode', '--yes')).status).toBe(0);
  const { inputs, mcpServers } = JSON.parse(await readFile(userFile(), 'utf8'));
  expect(mcpServers.a.env).toEqual({ KEY: '${input:key-2}' });
  expect(inputs).toEqual([
    { ...key, description: 'Another' },
    { ...key, id: 'key-2' },
  ]);
  expect(await json('probe', '--server', 'a', '--input', 'key-2=x')).toMatchObject({ status: 0 });
});

it('takes what Claude Code keeps privately for the folder to the same place of ours', async () => {
  await write(home('.claude.json'), {
    mcpServers: { everywhere: memory },
    projects: {
      [folder()]: { mcpServers: { mine: memory, off: memory }, disabledMcpServers: ['off'] },
      '/elsewhere': { mcpServers: { other: memory } },
    },
  });
  const { document } = await json('import');
  expect(document.importable).toMatchObject([
    { source: 'claude-code', scope: 'user', servers: ['everywhere'] },
    { source: 'claude-code', scope: 'local', servers: ['mine', 'off'] },
  ]);
  // it is nobody's who has the folder
  const shared = await json('import', 'claude-code', '--scope', 'project', '--yes');
  expect(shared.document.servers).toEqual([]);
  const local = await json('import', 'claude-code', '--scope', 'local', '--yes');
  expect(local.document.servers.map(({ name }: { name: string }) => name)).toEqual(['mine', 'off']);
  const { servers } = (await json('list')).document;
  expect(servers).toMatchObject([
    { name: 'mine', state: 'idle' },
    { name: 'off', state: 'disabled' },
  ]);
  await expect(access(projectFile())).rejects.toThrow();
});
