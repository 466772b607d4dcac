/** What the configuration page saves, and what it is told while a form is filled in. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { globalPoolId, serverId, type WorkspaceFolder } from '../../src/config/definition.js';
import { SecretKeeper } from '../../src/config/fixes/secretKeeper.js';
import type { InputStore } from '../../src/config/inputs/inputStore.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import { checkServer } from '../../src/presentation/configPage/checkServer.js';
import { toFormEntry } from '../../src/presentation/configPage/entryMapping.js';
import { type SaveParts, saveServer } from '../../src/presentation/configPage/saveServer.js';
import type { FormValue, SaveServerParams } from '../../src/protocol/configProtocol.js';
import { useCoreHarness } from '../helpers/coreHarness.js';
import { createAnswers } from '../helpers/fakes/fakeAnswers.js';

// of no service: only its shape is one of a token
const token = `ghp_${'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5'}`;
const env = [
  { key: 'GITHUB_TOKEN', value: token },
  { key: 'LEVEL', value: 'debug' },
];

const harness = useCoreHarness();
let folder: WorkspaceFolder;
let service: McpService;
let answers: InputStore;
let parts: SaveParts;

beforeEach(async () => {
  folder = await harness.addFolder('work', { old: { command: 'old', enabled: false } });

  service = await harness.start();
  useAnswers(createAnswers());
});

function useAnswers(store: InputStore): void {
  answers = store;
  parts = { service, secrets: new SecretKeeper(store) };
}

function form(
  values: Readonly<Record<string, FormValue>>,
  change: Partial<SaveServerParams> = {},
): SaveServerParams {
  const entry = { kind: 'stdio' as const, values: { command: 'x', enabled: false, ...values } };
  return { poolId: folder.uri, file: 'primary', name: 'new', entry, inFile: [], ...change };
}

const text = () => readFile(join(folder.fsPath ?? '', '.mcp.json'), 'utf8');
const written = async () => JSON.parse(await text());

describe('a secret that is entered for the file of a folder', () => {
  it('goes to the secret storage, and the file refers to it', async () => {
    const request = form({ env, args: ['--api-key', token] });
    const { secrets } = await checkServer(parts, request);
    expect(secrets).toEqual([
      { field: 'args', label: '2', reference: '${input:new-api-key}' },
      { field: 'env', label: 'GITHUB_TOKEN', reference: '${input:new-github-token}' },
    ]);
    expect(await saveServer(parts, request)).toMatchObject({ saved: true });
    const { mcpServers, inputs } = await written();
    expect(mcpServers.new).toMatchObject({
      env: { GITHUB_TOKEN: '${input:new-github-token}', LEVEL: 'debug' },
      args: ['--api-key', '${input:new-api-key}'],
    });
    expect(inputs.map(({ id }: { id: string }) => id)).toEqual(['new-api-key', 'new-github-token']);
    expect(await text()).not.toContain(token);
    const key = { poolId: folder.uri, inputId: 'new-github-token' };
    expect(await answers.get(key)).toBe(token);
  });

  it('stays in the file when the user wants it there', async () => {
    await saveServer(parts, form({ env, args: ['--api-key', token] }, { inFile: ['env'] }));
    expect((await written()).mcpServers.new).toMatchObject({
      env: { GITHUB_TOKEN: token },
      args: ['--api-key', '${input:new-api-key}'],
    });
  });

  it('does so when a server is changed, and leaves alone what stood there before', async () => {
    const old = { command: 'x', enabled: false, env: { OLD_TOKEN: `${token}1` } };
    await harness.write(folder, { old });
    await service.reload();
    const id = serverId(folder.uri, 'old');
    const { entry } = await service.configuration.read(id);
    const { values } = toFormEntry(entry);
    const rows = [...(values.env as typeof env), ...env];
    const request = form({ ...values, env: rows }, { id, name: 'old' });
    expect((await checkServer(parts, request)).secrets.map(({ label }) => label)).toEqual([
      'GITHUB_TOKEN',
    ]);
    await saveServer(parts, request);
    expect((await written()).mcpServers.old.env).toEqual({
      OLD_TOKEN: `${token}1`,
      GITHUB_TOKEN: '${input:old-github-token}',
      LEVEL: 'debug',
    });
  });

  it('takes no id that another input of the folder has', async () => {
    const key = { poolId: folder.uri, inputId: 'new-github-token' };
    await answers.set(key, 'of another server');
    expect((await checkServer(parts, form({ env }))).secrets).toMatchObject([
      { reference: '${input:new-github-token-2}' },
    ]);
    await saveServer(parts, form({ env }));
    expect((await written()).mcpServers.new.env.GITHUB_TOKEN).toBe('${input:new-github-token-2}');
    expect(await answers.get(key)).toBe('of another server');
  });

  it('is nowhere when it cannot be stored, or the file cannot be written', async () => {
    const before = await text();
    useAnswers(createAnswers((key) => key.includes('github')));
    await expect(saveServer(parts, form({ env, args: ['--api-key', token] }))).rejects.toThrow();
    expect([await text(), await answers.list()]).toEqual([before, []]);
    useAnswers(createAnswers());
    expect(await saveServer(parts, form({ env }, { name: 'old' }))).toMatchObject({
      saved: false,
      problems: [{ code: 'server_name_taken', field: 'name' }],
    });
    expect([await text(), await answers.list()]).toEqual([before, []]);
  });

  it('goes there from the files of the user, too, unless they want it in the file', async () => {
    for (const place of [
      { poolId: globalPoolId, file: 'primary' as const },
      { poolId: folder.uri, file: 'local' as const },
    ]) {
      const request = form({ env }, place);
      const [found] = (await checkServer(parts, request)).secrets;
      expect(found?.reference).toMatch(/^\$\{input:new-github-token/);
      await saveServer(parts, request);
      const { path } = service.configuration.location(place.poolId, place.file);
      expect(await readFile(path, 'utf8')).toContain(found?.reference);
      expect(await readFile(path, 'utf8')).not.toContain(token);
    }
    await mkdir(join(folder.fsPath ?? '', '.git'));
    await writeFile(join(folder.fsPath ?? '', '.gitignore'), '.mcp.json\n');
    await saveServer(parts, form({ env }, { name: 'ignored' }));
    expect(await text()).not.toContain(`${token}"`);
    await saveServer(
      parts,
      form({ env }, { name: 'asked', poolId: globalPoolId, inFile: ['env'] }),
    );
    expect(JSON.parse(await harness.readGlobal()).mcpServers.asked.env.GITHUB_TOKEN).toBe(token);
  });
});

describe('while a form is filled in', () => {
  it('a name is judged by the rule of the editor, in the file that is chosen', async () => {
    const problem = async (name: string, change: Partial<SaveServerParams> = {}) => {
      const request = form({}, { name, ...change });
      const { name: live } = await checkServer(parts, request);
      const result = live && (await saveServer(parts, request));
      expect(result?.saved === false ? result.problems[0] : undefined).toEqual(live);
      return live?.code;
    };
    expect(await problem('')).toBe('server_name_empty');
    expect(await problem('old')).toBe('server_name_taken');
    expect(await problem('half \ud800')).toBe('malformed-name');
    expect(await problem('old', { file: 'local' })).toBeUndefined();
    expect(await problem('free')).toBeUndefined();
    const id = serverId(folder.uri, 'old');
    expect(await problem('old', { id })).toBeUndefined();
  });

  it('a line in the place of a command is offered in its parts, and changes nothing by itself', async () => {
    const offer = async (command: string) =>
      (await checkServer(parts, form({ command }))).offer?.entry.values;
    expect(await offer('npx -y @scope/server --root "my files"')).toEqual({
      command: 'npx',
      args: ['-y', '@scope/server', '--root', 'my files'],
    });
    expect(await offer('LEVEL=1 node server.js')).toEqual({
      command: 'node',
      args: ['server.js'],
      env: [{ key: 'LEVEL', value: '1' }],
    });
    expect(await offer('https://example.com/mcp')).toEqual({ url: 'https://example.com/mcp' });
    for (const command of ['npx', '/opt/bin/server', 'npx -y "half', 'npx a | tee b']) {
      expect(await offer(command)).toBeUndefined();
    }
    const line = 'npx -y @scope/server';
    await saveServer(parts, form({ command: line }));
    expect((await written()).mcpServers.new.command).toBe(line);
  });

  it('a file with a syntax error and a folder that is gone are no reason to complain', async () => {
    await harness.write(folder, '{ "mcpServers": ');
    expect(await checkServer(parts, form({ env }))).toMatchObject({ secrets: expect.anything() });
    const gone = form({ env }, { poolId: 'file:///gone' });
    expect(await checkServer(parts, gone)).toEqual({ secrets: [] });
  });
});
