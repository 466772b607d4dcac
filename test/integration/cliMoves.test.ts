/** Servers that go from one scope to another, with what is stored for them: real processes, real files. */
import { access, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useCommandFolder } from '../helpers/commandLine.js';
import { memory } from '../helpers/coreHarness.js';

const { root, home, userFile, projectFile, write, json } = useCommandFolder();

const mine = `{
  "mcpServers": {
    // keeps notes
    "notes": { "command": "node", "args": ["notes.js"] }
  }
}
`;

describe('move and copy', () => {
  it('take a server through all scopes and back, comments and all', async () => {
    await write(userFile(), mine);
    const moved = await json('move', 'notes', '--scope', 'local');
    expect(moved).toMatchObject({
      status: 0,
      document: {
        action: 'moved',
        scope: 'local',
        from: userFile(),
        server: { layer: 'local', state: 'idle' },
      },
    });
    expect(await readFile(userFile(), 'utf8')).toBe('{\n  "mcpServers": {}\n}\n');
    expect(await readFile(moved.document.path, 'utf8')).toBe(mine);
    const shared = await json('move', 'notes', '--scope', 'project');
    expect(shared.document.server.state).toBe('trust_required');
    expect(await readFile(projectFile(), 'utf8')).toBe(mine);
    await json('trust', '--yes');
    expect((await json('move', 'notes', '--scope', 'user')).status).toBe(0);
    expect(await readFile(userFile(), 'utf8')).toBe(mine);
  });

  it('leave the old one when it is a copy, under another name where one is given', async () => {
    await write(userFile(), mine);
    const { document } = await json('copy', 'notes', '--scope', 'project', '--name', 'ours');
    expect(document).toMatchObject({ action: 'copied', name: 'ours', path: projectFile() });
    expect(await readFile(userFile(), 'utf8')).toBe(mine);
    expect(await readFile(projectFile(), 'utf8')).toBe(mine.replace('"notes":', '"ours":'));
  });

  it('lose nothing where the name is taken, the place is not to be written, or none is given', async () => {
    await write(userFile(), mine);
    await write(projectFile(), mine);
    const taken = await json('move', 'notes', '--from', 'user', '--scope', 'project');
    expect([taken.status, taken.document.error.code]).toEqual([1, 'server_name_taken']);
    await write(projectFile(), '{ "mcpServers": {');
    const broken = await json('move', 'notes', '--scope', 'project');
    expect([broken.status, broken.document.error.code]).toEqual([1, 'config_broken']);
    const nowhere = await json('move', 'notes');
    expect([nowhere.status, nowhere.document.error.code]).toEqual([2, 'usage']);
    expect(await readFile(userFile(), 'utf8')).toBe(mine);
  });

  it('take no secret into a file of the folder', async () => {
    await json('add', 'x', '-e', 'API_KEY=0b1c9f1e77aa', '--', 'node');
    const { status, document } = await json('move', 'x', '--scope', 'project');
    expect([status, document.error.code]).toEqual([1, 'secret_shared']);
    await expect(access(projectFile())).rejects.toThrow();
    expect((await json('get', 'x')).document.server.place.scope).toBe('local');
    const moved = await json('move', 'x', '--scope', 'user');
    expect(JSON.parse(await readFile(moved.document.path, 'utf8'))).toEqual({
      mcpServers: { x: { command: 'node', env: { API_KEY: '0b1c9f1e77aa' } } },
    });
  });

  it.each(['user', 'local'])(
    'make nothing that waits for consent a server that needs none: %s',
    async (scope) => {
      await write(projectFile(), { mcpServers: { theirs: memory } });
      for (const verb of ['move', 'copy']) {
        const { status, document } = await json(verb, 'theirs', '--scope', scope);
        expect([status, document.error.code]).toEqual([1, 'trust_required']);
      }
      expect((await json('list')).document.servers).toMatchObject([
        { name: 'theirs', state: 'trust_required' },
      ]);
      await json('trust', 'theirs', '--yes');
      expect((await json('copy', 'theirs', '--scope', scope)).status).toBe(0);
    },
  );

  it('ask for consent to what is hidden, not to what hides it', async () => {
    await write(projectFile(), { mcpServers: { both: memory } });
    await json('add', 'both', '--', 'harmless');
    const { document } = await json('copy', 'both', '--from', 'project', '--scope', 'user');
    expect(document.error.code).toBe('trust_required');
  });

  it('write nothing through a link that leaves the folder', async () => {
    const elsewhere = join(root(), 'elsewhere.json');
    await write(elsewhere, '{}');
    await symlink(elsewhere, projectFile());
    await write(userFile(), mine);
    for (const command of [
      ['copy', 'notes', '--scope', 'project'],
      ['add', 'x', '--scope', 'project', '--', 'y'],
    ]) {
      const { status, document } = await json(...command);
      expect([status, document.error.code]).toEqual([1, 'leaves_folder']);
    }
    expect(await readFile(elsewhere, 'utf8')).toBe('{}');
  });

  it('take the account along, and leave it with the original of a copy', async () => {
    await write(userFile(), '{ "mcpServers": { "a": { "url": "https://a.example/mcp" } } }');
    const accounts = home('.pi', 'agent', 'pi-mcp', 'accounts.json');
    const stored = JSON.stringify({
      url: 'https://a.example/mcp',
      tokens: { i: { access_token: 't' } },
      clients: {},
      issuer: 'i',
    });
    await write(accounts, { 'piMcp.oauth.global#a': stored });
    await json('copy', 'a', '--scope', 'project');
    expect(Object.keys(JSON.parse(await readFile(accounts, 'utf8')))).toEqual([
      'piMcp.oauth.global#a',
    ]);
    await json('remove', 'a', '--scope', 'project');
    await json('move', 'a', '--scope', 'local', '--name', 'b');
    const kept = JSON.parse(await readFile(accounts, 'utf8'));
    expect(Object.entries(kept)).toEqual([
      [expect.stringMatching(/^piMcp\.oauth\.file:.*work#b$/), stored],
    ]);
  });
});
