/** Servers for other clients from the command line: real processes, real files. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { exportClients } from '../../src/config/export/clientFormats.js';
import { useCommandFolder } from '../helpers/commandLine.js';

const { userFile, projectFile, write, run, json } = useCommandFolder();

const token = `ghp_${'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5'}`;
const key = { id: 'key', type: 'promptString', description: 'API key', password: true };

async function declare(): Promise<void> {
  await write(userFile(), {
    inputs: [key],
    mcpServers: {
      notes: { command: 'npx', args: ['-y', 'notes-mcp'], env: { KEY: '${input:key}' }, cwd: '/a' },
      secret: { command: 'x', env: { GITHUB_TOKEN: token } },
    },
  });
  await write(projectFile(), {
    mcpServers: { shared: { type: 'http', url: 'https://a.example/mcp' } },
  });
}

it('prints the configuration alone, and beside it what is different there', async () => {
  await declare();
  const { out, error, status } = await run('export', 'codex', 'notes', 'shared');
  expect(status).toBe(0);
  expect(out).toContain('[mcp_servers.notes]');
  expect(out).toContain('url = "https://a.example/mcp"');
  expect(out).not.toContain('different');
  expect(error).toContain('In Codex this is different:');
  expect(error).toContain('notes, env.KEY: Set the variable KEY there.');
});

it.each(exportClients)('has for %s the same in the document', async (client) => {
  await declare();
  const { status, document } = await json('export', client);
  expect([status, document]).toMatchObject([0, { client, losses: expect.any(Array) }]);
  for (const name of ['notes', 'secret', 'shared']) {
    expect(document.text).toContain(name);
  }
  expect(JSON.stringify(document)).not.toContain(token);
  const fields = document.losses.map(
    ({ server, field }: Record<string, string>) => `${server} ${field}`,
  );
  expect(fields).toContain('secret env.GITHUB_TOKEN');
});

it('brings the inputs along to VS Code, and writes no file', async () => {
  await declare();
  const before = await readFile(userFile(), 'utf8');
  const { document } = await json('export', 'vscode', 'notes', '--scope', 'user');
  expect(JSON.parse(document.text)).toMatchObject({
    servers: { notes: { env: { KEY: '${input:key}' }, cwd: '/a' } },
    inputs: [key],
  });
  expect(await readFile(userFile(), 'utf8')).toBe(before);
});

it('names the clients that there are', async () => {
  const { status, error } = await run('export', 'notepad');
  expect(status).toBe(2);
  expect(error).toContain('goose');
});
