/** Bundles from the box of *Add Server* and from the command line to a server that runs, and out again. */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { globalPoolId, serverId, type WorkspaceFolder } from '../../src/config/definition.js';
import type { InputStore } from '../../src/config/inputs/inputStore.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import type { ServerInstaller } from '../../src/presentation/add/serverInstaller.js';
import { packBundle, signed } from '../helpers/bundles.js';
import { useCommandLine } from '../helpers/commandLine.js';
import { useCoreHarness } from '../helpers/coreHarness.js';
import { createAnswers } from '../helpers/fakes/fakeAnswers.js';
import { startRegistry } from '../helpers/registryServer.js';
import { cardOf, createInstaller, paramsFor } from '../helpers/serverInstaller.js';
import { repository } from '../workbench/paths.mjs';

const cli = useCommandLine();
const mine = 'User: Every Folder';
const answered = { 'option-api_key': 'canary', 'option-folders': '/a\n/b' };

let program: Buffer;
const harness = useCoreHarness();
let folder: WorkspaceFolder;
let service: McpService;
let answers: InputStore;
let installer: ServerInstaller;
let path: string;

beforeAll(async () => {
  const { outputFiles } = await build({
    absWorkingDir: repository,
    entryPoints: ['test/fixtures/servers/bundled.mjs'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  program = Buffer.from(outputFiles[0]?.contents ?? []);
});

beforeEach(async () => {
  folder = await harness.addFolder('work', {});

  answers = createAnswers();
  const inputs = {
    resolve: (poolId: string, inputId: string) => answers.get({ poolId, inputId }),
  };
  service = await harness.start(undefined, { inputs });
  installer = createInstaller(service, {
    answers,
    url: 'http://127.0.0.1:1',
    machine: harness.environment,
  });
  path = join(harness.root, 'notes.mcpb');
  await writeFile(path, packBundle({ 'server/index.mjs': program }));
});
const bundlesDir = () => join(harness.root, 'home/.pi/agent/pi-mcp/bundles');
const kept = () => readdir(bundlesDir()).catch(() => []);

describe('a bundle of the registry', () => {
  it('is fetched by its address, shown if it has its hash, added, and no copy of it stays', async () => {
    const bundle = packBundle({ 'server/index.mjs': program });
    const asked: string[] = [];
    const host = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers.cookie ?? ''}`);
      if (request.url === '/notes.mcpb') {
        // as what keeps files for others does
        response.writeHead(302, { location: '/kept' }).end();
      } else {
        response.end(bundle);
      }
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    const { port } = host.address() as AddressInfo;
    const registry = await startRegistry([
      {
        server: {
          name: 'com.example/notes',
          version: '1.2.0',
          packages: [
            {
              registryType: 'mcpb',
              identifier: `http://127.0.0.1:${port}/notes.mcpb`,
              fileSha256: createHash('sha256').update(bundle).digest('hex').toUpperCase(),
              transport: { type: 'stdio' },
            },
          ],
        },
      },
    ]);
    try {
      installer = createInstaller(service, {
        answers,
        url: registry.url,
        machine: harness.environment,
      });
      const { id, ways } = await installer.open('com.example/notes');
      expect(ways).toMatchObject([{ isBundle: true }]);
      expect(asked).toEqual([]);
      const card = cardOf(await installer.openPackage(id, ways[0]?.id ?? ''));
      expect(card).toMatchObject({ title: 'Notes', ways: [{ secrets: ['option-api_key'] }] });
      expect(asked).toEqual(['/notes.mcpb ', '/kept ']);
      expect(await readdir(join(bundlesDir(), 'downloads'))).toHaveLength(1);
      await installer.add(paramsFor(installer, card, mine, answered));
      expect(await readdir(join(bundlesDir(), 'downloads'))).toEqual([]);
      expect(await readdir(join(bundlesDir()))).toContainEqual(expect.stringMatching(/^notes-/));
    } finally {
      await registry.close();
      await new Promise((resolve) => host.close(resolve));
    }
  });
});

describe('a bundle in the box', () => {
  it('is shown with what is known of it, and nothing of it is unpacked', async () => {
    const reading = await installer.read(`"${path}"`);
    expect(reading).toMatchObject({ kind: 'servers', what: 'A bundle', isOpen: true });
    const card = cardOf(reading);
    expect(card).toMatchObject({
      title: 'Notes',
      description: 'Keeps notes',
      suggestedName: 'notes',
      facts: [
        'notes, version 1.2.0',
        'It says that it is by Example. It was not checked.',
        'It is not signed.',
        expect.stringMatching(/^2 files, .* unpacked$/),
        expect.stringMatching(/^SHA-256: [\da-f]{64}$/),
      ],
      ways: [{ secrets: ['option-api_key'] }],
    });
    const preview = await installer.preview(paramsFor(installer, card, mine, answered));
    expect(preview.lines[0]?.text).toContain(join(bundlesDir(), 'notes-'));
    expect(preview.text).not.toContain('canary');
    expect(await kept()).toEqual([]);
  });

  it('is described when it is in the clipboard', () => {
    expect(installer.describe(path)).toBe('A bundle');
  });

  it('says that it carries a signature', async () => {
    await writeFile(path, signed(packBundle()));
    const { facts } = cardOf(await installer.read(path));
    expect(facts[2]).toBe('It carries a signature, which was not checked.');
  });

  it.each(['notes.mcpb', '\\\\host\\share\\notes.mcpb', '/nowhere/notes.mcpb'])(
    'is asked for by its whole path, not %s',
    async (text) => {
      expect(await installer.read(text)).toMatchObject({
        kind: 'wrong',
        remedy: 'Write the whole path of the bundle.',
      });
    },
  );

  it('runs with its answers, and with its secret out of the file', async () => {
    const params = paramsFor(installer, cardOf(await installer.read(path)), mine, answered);
    const { id } = await installer.add(params);
    const text = await readFile(join(harness.root, 'home/.pi/agent/mcp.json'), 'utf8');
    expect(text).not.toContain('canary');
    expect(text).toContain('${input:api-key}');
    await service.reload();
    const server = service.getServer(id);
    await server?.ensureConnected();
    const result = await server?.callTool('started', {});
    expect(JSON.stringify(result)).toContain(
      JSON.stringify(JSON.stringify({ args: ['/a', '/b'], key: 'canary' })).slice(1, -1),
    );
  });

  it('is unpacked once, and deleted with the last entry that refers to it', async () => {
    const card = cardOf(await installer.read(path));
    const first = await installer.add(paramsFor(installer, card, mine, answered));
    const second = await installer.add({
      ...paramsFor(installer, card, 'Folder work: Only You', answered),
      name: 'again',
    });
    const [name = ''] = await kept();
    expect(await kept()).toEqual([name, `${name}.json`]);
    await service.configuration.removeServer(first.id);
    expect(await kept()).toEqual([name, `${name}.json`]);
    await service.configuration.removeServer(second.id);
    expect(await kept()).toEqual([]);
  });

  it('follows its entry to another file', async () => {
    const card = cardOf(await installer.read(path));
    const { id } = await installer.add(paramsFor(installer, card, mine, answered));
    const target = { poolId: folder.uri, file: 'local' as const, isCopy: false };
    const moved = await service.configuration.transferServer(id, target);
    expect(await kept()).toHaveLength(2);
    harness.removeFolder(folder);
    await service.reload();
    const other = cardOf(await installer.read(path));
    await installer.add({ ...paramsFor(installer, other, mine, answered), name: 'b' });
    await service.configuration.removeServer(serverId(globalPoolId, 'b'));
    expect(await kept()).toHaveLength(2);
    harness.restoreFolder(folder);
    await service.reload();
    await service.configuration.removeServer(moved);
    expect(await kept()).toEqual([]);
  });

  it('leaves nothing when its entry is not written', async () => {
    const params = paramsFor(installer, cardOf(await installer.read(path)), mine, answered);
    await harness.writeGlobal('{ "mcpServers": {');
    await expect(installer.add(params)).rejects.toThrow();
    expect(await kept()).toEqual([]);
  });

  it('is not added when it has changed since it was shown', async () => {
    const params = paramsFor(installer, cardOf(await installer.read(path)), mine, answered);
    await writeFile(path, packBundle({ 'server/index.mjs': 'other' }));
    await expect(installer.add(params)).rejects.toThrow('has changed since it was shown');
    expect(await kept()).toEqual([]);
  });
});

describe('the command line', () => {
  const run = (...args: readonly string[]) =>
    cli(harness.root, ['--json', '--folder', folder.fsPath ?? '', ...args]).document();

  it('adds a bundle, whose server it then runs, and removes it', async () => {
    expect(await run('add', path, '--input', 'folders=/a', '--scope', 'user')).toMatchObject({
      document: {
        action: 'added',
        name: 'notes',
        bundle: { name: 'notes', version: '1.2.0', isSigned: false },
      },
    });
    const called = await run('call', 'notes', 'started', '--input', 'api-key=canary');
    expect(JSON.stringify(called)).toContain('/a');
    await run('remove', 'notes');
    expect(await kept()).toEqual([]);
  });

  it('says what is missing', async () => {
    const { user_config: options, ...about } = (await import('../helpers/bundles.js')).manifest;
    const required = { ...options, folders: { ...options.folders, required: true, default: [] } };
    await writeFile(path, packBundle(undefined, { ...about, user_config: required }));
    expect(await run('add', path)).toMatchObject({
      document: {
        error: {
          code: 'usage',
          message: 'The bundle asks for "folders" (Folders): A value is needed here.',
        },
      },
    });
    expect(await kept()).toEqual([]);
  });
});
