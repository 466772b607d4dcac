/** What a registry or a link could make of a click on *Add*. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import { readConfigText } from '../../src/config/discovery/configFileStore.js';
import { findImportable } from '../../src/config/imports/importableServers.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import type { ServerInstaller } from '../../src/presentation/add/serverInstaller.js';
import type { OfferDetails, OfferWay } from '../../src/protocol/add/addProtocol.js';
import { Tripwires } from '../helpers/attacks/tripwires.js';
import { CoreHarness } from '../helpers/coreHarness.js';
import { createAnswers } from '../helpers/fakes/fakeAnswers.js';
import { type RegistryServer, startRegistry } from '../helpers/registryServer.js';
import { createInstaller, paramsFor } from '../helpers/serverInstaller.js';

const everybody = 'Folder work: for Everybody';
const mine = 'User: Every Folder';

let harness: CoreHarness;
let folder: WorkspaceFolder;
let service: McpService;
let ran: Tripwires;
let dir: string;
let registry: RegistryServer | undefined;

beforeEach(async () => {
  harness = await CoreHarness.create();
  dir = await realpath(await mkdtemp(join(tmpdir(), 'pi-mcp-registry-')));
  ran = await Tripwires.create(join(dir, 'ran'));
  folder = await harness.addFolder('work', {});
  service = harness.open();
  await service.whenStarted();
});
afterEach(async () => {
  await harness.dispose();
  await registry?.close();
  registry = undefined;
  await rm(dir, { recursive: true, force: true });
});

async function open(
  packages: readonly object[],
  remotes: readonly object[] = [],
  about: object = {},
): Promise<ServerInstaller> {
  registry = await startRegistry([
    { server: { name: 'com.example/hostile', version: '1.0.0', packages, remotes, ...about } },
  ]);
  return createInstaller(service, { answers: createAnswers(), url: registry.url });
}

function defaultsOf(way: OfferWay | undefined): Readonly<Record<string, string>> {
  const fields = Object.entries(way?.schema.properties ?? {}) as [string, { default?: string }][];
  return Object.fromEntries(fields.map(([id, field]) => [id, field.default ?? '']));
}

function textsIn(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn);
}

const npm = (rest: object) => ({ registryType: 'npm', identifier: 'a', version: '1.0.0', ...rest });

describe('an entry of the registry', () => {
  it.each([
    [
      'a command in a variable',
      () => npm({ environmentVariables: [{ name: 'A', value: ran.commandValue('a') }] }),
    ],
    [
      'a command as a default',
      () => npm({ environmentVariables: [{ name: 'A', default: ran.commandValue('a') }] }),
    ],
    [
      'a variable of the user',
      () => npm({ packageArguments: [{ type: 'positional', value: '${HOME}' }] }),
    ],
    [
      'a variable of the user in two parts',
      () =>
        npm({
          environmentVariables: [
            { name: 'A', value: '{env{rest}', variables: { rest: { value: ':HOME}' } } },
          ],
        }),
    ],
    ['a package that is an address', () => npm({ identifier: 'https://elsewhere.example/a.tgz' })],
    ['a package that is a flag', () => npm({ identifier: '--call=touch' })],
    ['a program of its own', () => npm({ registryType: 'sh', runtimeHint: 'sh' })],
  ])('cannot bring %s', async (_what, entry) => {
    const installer = await open([entry()]);
    const details = await installer.open('com.example/hostile');
    expect(details.ways[0]?.blocker).toBeDefined();
    await expect(installer.add(paramsFor(installer, details, mine))).rejects.toThrow();
    await service.reload();
    expect(service.pools.flatMap(({ servers }) => servers)).toEqual([]);
    expect(await ran.sprung()).toEqual([]);
  });

  it('cannot choose the program that runs its package by a hint', async () => {
    const installer = await open([npm({ runtimeHint: ran.path('hint') })]);
    const details = await installer.open('com.example/hostile');
    await installer.add(paramsFor(installer, details, everybody));
    const text = await readFile(join(folder.fsPath ?? '', '.mcp.json'), 'utf8');
    expect(JSON.parse(text).mcpServers.hostile.command).toBe('npx');
  });

  it.each([
    ['npm', ['-c', 'touch x']],
    ['npm', ['--call=touch x']],
    ['npm', ['--registry=https://elsewhere.example']],
    ['npm', ['--userconfig=/tmp/npmrc']],
    ['npm', ['--package', 'github:someone/code']],
    ['npm', ['--node-options=--import=./x.mjs']],
    ['npm', ['-p', 'https://elsewhere.example/a.tgz']],
    ['pypi', ['--index-url', 'https://elsewhere.example']],
    ['pypi', ['--with-editable', '.']],
    ['pypi', ['--from', 'git+https://elsewhere.example/a']],
    ['pypi', ['--python', '/tmp/python']],
    ['oci', ['--entrypoint', 'sh']],
    ['oci', ['-v/:/x']],
    ['oci', ['--volumes-from=other']],
    ['oci', ['--mount', 'type=volume,dst=/x,volume-opt=device=/']],
    ['oci', ['--env-file=/etc/passwd']],
    ['oci', ['--pid=host']],
    ['nuget', ['--configfile', '/tmp/nuget.config']],
  ])('of %s with %j says which words may run other code', async (registryType, words) => {
    const runtimeArguments = words.map((value) => ({ type: 'positional', value }));
    const named = { registryType, identifier: 'example', version: '1.0.0' };
    const installer = await open([{ ...named, runtimeArguments }, named]);
    const details = await installer.open('com.example/hostile');
    const params = paramsFor(installer, details, everybody);
    const cautions = (await installer.preview(params)).cautions.join(' ');
    expect(cautions).toContain('may run other code');
    expect(cautions).toContain(words[0]);
    const plain = await installer.preview({ ...params, way: 'package-1' });
    expect(plain.cautions.join(' ')).not.toContain('other code');
  });

  it.each([
    ['https://{host}/mcp', { host: { default: 'elsewhere.example' } }, 'https://elsewhere.example'],
    [
      'https://good.example{end}/',
      { end: { value: '.elsewhere.example' } },
      'https://good.example.elsewhere.example',
    ],
    ['https://good.example:{port}/', { port: { default: '8443' } }, 'https://good.example:8443'],
    ['{base}/mcp', { base: { default: 'https://elsewhere.example' } }, 'https://elsewhere.example'],
    ['{scheme}://good.example/mcp', { scheme: { default: 'https' } }, 'https://good.example'],
    [
      'https://good.example{path}',
      { path: { value: '.elsewhere.example/a' } },
      'https://good.example.elsewhere.example',
    ],
  ])('with the address %s says where it leads', async (url, variables, origin) => {
    const installer = await open([], [{ type: 'streamable-http', url, variables }]);
    const details = await installer.open('com.example/hostile');
    const [way] = details.ways;
    const answers = defaultsOf(way);
    const { cautions } = await installer.preview(paramsFor(installer, details, mine, answers));
    expect(cautions).toContain(`A variable decides where its address leads: ${origin}`);
  });

  it('control: says nothing of a variable in the path of an address', async () => {
    const variables = { path: { default: 'a' } };
    const url = 'https://good.example/{path}/mcp?a={path}';
    const installer = await open([], [{ type: 'streamable-http', url, variables }]);
    const details = await installer.open('com.example/hostile');
    const answers = { 'remote-0-url-path': 'a@elsewhere.example' };
    const { cautions, lines } = await installer.preview(
      paramsFor(installer, details, mine, answers),
    );
    expect(cautions).toEqual([]);
    expect(lines[0]?.text).toContain('https://good.example/');
  });

  it.each([
    ['https://good.example{end}/', 'end', '@elsewhere.example'],
    ['https://good.example{end}/', 'end', '.elsewhere.example/?'],
    ['https://{host}/mcp', 'host', 'elsewhere.example#'],
    ['https://{host}/mcp', 'host', 'a:b@elsewhere.example'],
    ['https://good.example:{port}/', 'port', '1@elsewhere.example'],
    ['https://good.example:{port}/', 'port', '\\\\elsewhere.example'],
    ['{base}/mcp', 'base', 'http://elsewhere.example'],
    ['{base}/mcp', 'base', 'https://a@elsewhere.example'],
    ['{base}/mcp', 'base', 'javascript:alert(1)'],
  ])('takes for %s no %s that is %s', async (url, name, answer) => {
    const variables = { [name]: { default: answer } };
    const installer = await open([], [{ type: 'streamable-http', url, variables }]);
    const details = await installer.open('com.example/hostile');
    const answers = { [`remote-0-url-${name}`]: answer };
    const params = paramsFor(installer, details, mine, answers);
    expect((await installer.preview(params)).troubles).toHaveLength(1);
    await expect(installer.add(params)).rejects.toThrow();
  });

  it.each([
    ['https://user:secret@a.example/mcp', {}],
    ['https://good.example@elsewhere.example/mcp', {}],
    ['https://{user}@elsewhere.example/mcp', { user: {} }],
    ['https://{user}:{password}@elsewhere.example/mcp', { user: {}, password: {} }],
    ['https://good.example{end}/', { end: { value: '@elsewhere.example' } }],
    ['https:\\\\user@elsewhere.example/', {}],
    ['https://{host}/mcp', { host: { isSecret: true } }],
    ['https://good\u200b.example/mcp', {}],
    ['https://good\u202e.example/mcp', {}],
  ])('with the address %j is not added', async (url, variables) => {
    const installer = await open([], [{ type: 'streamable-http', url, variables }]);
    const details = await installer.open('com.example/hostile');
    expect(details.ways[0]?.blocker).toBeDefined();
    const answers = {
      'remote-0-url-user': 'a',
      'remote-0-url-password': 'b',
      'remote-0-url-host': 'c',
    };
    await expect(installer.add(paramsFor(installer, details, mine, answers))).rejects.toThrow();
  });

  it.each(['\u200b', '\u202e', '\u2066', '\u00ad', '\u{e0041}', '\u3164', '\u00a0', '\u0007'])(
    'shows %j in no field of the page, and writes it nowhere',
    async (hidden) => {
      const odd = (text: string) => `${text}${hidden}`;
      const input = (rest: object) => ({
        description: odd('about'),
        placeholder: odd('such as'),
        valueHint: odd('hint'),
        ...rest,
      });
      const shown = await open(
        [
          npm({ environmentVariables: [input({ name: 'A' })] }),
          npm({ packageArguments: [input({ type: 'positional' })] }),
          npm({ packageArguments: [input({ type: 'positional', default: odd('x') })] }),
          npm({ packageArguments: [input({ type: 'positional', choices: ['a', odd('b')] })] }),
          npm({ packageArguments: [input({ type: 'positional', value: odd('x') })] }),
          npm({ packageArguments: [input({ type: 'named', name: odd('--x') })] }),
          npm({ identifier: odd('x') }),
          npm({ version: odd('1') }),
          npm({ registryType: odd('npm') }),
          npm({ registryBaseUrl: odd('https://elsewhere.example/') }),
          npm({ environmentVariables: [input({ name: 'A', default: odd('x') })] }),
        ],
        [
          { type: odd('sse'), url: 'https://a.example/' },
          {
            type: 'sse',
            url: 'https://a.example/',
            headers: [input({ name: 'A', value: odd('x') })],
          },
          { type: 'sse', url: 'https://a.example/', headers: [input({ name: odd('A') })] },
        ],
        {
          title: odd('t'),
          description: odd('d'),
          version: odd('1'),
          status: 'deprecated',
          _meta: {
            'io.modelcontextprotocol.registry/official': {
              status: 'deprecated',
              statusMessage: odd('gone'),
            },
          },
          repository: { url: `https://github.com/a/${odd('b')}` },
          websiteUrl: `https://a.example/${odd('b')}`,
        },
      );
      const details = await shown.open('com.example/hostile');
      expect(textsIn(details).filter((text) => text.includes(hidden))).toEqual([]);
      const { rows } = await shown.search('hostile');
      expect(textsIn(rows).filter((text) => text.includes(hidden))).toEqual([]);
      expect(rows).toHaveLength(1);
      expect(details.ways.filter(({ blocker }) => blocker === undefined)).toHaveLength(2);
      expect(details.ways).toHaveLength(14);
    },
  );

  it('shows no text that turns or hides', async () => {
    const installer = await open([npm({ identifier: 'a' })]);
    registry?.next.push({
      status: 200,
      body: JSON.stringify({
        server: {
          name: 'com.example/hostile',
          title: 'safe\u202eelif',
          description: 'a\u200bb',
          version: '1',
          packages: [npm({})],
        },
      }),
    });
    const details = await installer.open('com.example/hostile');
    expect([details.title, details.description]).toEqual(['safe\\u202eelif', 'a\\u200bb']);
  });
});

/** Each brings the same server. */
const bringers: readonly (readonly [string, (entry: object) => string])[] = [
  [
    'a link',
    (entry) =>
      `vscode://pi-mcp.pi-mcp/add?name=linked&config=${encodeURIComponent(JSON.stringify(entry))}`,
  ],
  ['a pasted block', (entry) => JSON.stringify({ mcpServers: { linked: entry } })],
];

describe.each(bringers)('the entry of %s', (_what, textOf) => {
  const linked = async (place: string) => {
    const installer = await open([]);
    const text = textOf(ran.launch('linked'));
    installer.describe(text);
    const reading = await installer.read(text);
    const [card] = reading.kind === 'servers' ? reading.cards : [];
    const params = paramsFor(installer, card as OfferDetails, place);
    await installer.preview(params);
    return { id: (await installer.add(params)).id };
  };

  it('starts nothing when it is shown and added to a folder, nor when a call wants it', async () => {
    const { id } = await linked(everybody);
    await service
      .getServer(id)
      ?.ensureConnected()
      .catch(() => undefined);
    expect(service.getServer(id)?.state.value.kind).toBe('trust_required');
    expect(await ran.sprung()).toEqual([]);
  });

  it('starts nothing when it is added to the file of the user', async () => {
    await linked(mine);
    expect(await ran.sprung()).toEqual([]);
  });

  it('control: runs once the user starts it', async () => {
    const { id } = await linked(mine);
    await service.getServer(id)?.ensureConnected();
    expect(await ran.sprung()).toEqual(['linked']);
  });
});

it('says of a server of another program in which file it is, as a folder brings such files, too', async () => {
  const path = join(folder.fsPath ?? '', '.cursor', 'mcp.json');
  await mkdir(dirname(path));
  await writeFile(path, JSON.stringify({ mcpServers: { notes: ran.launch('imported') } }));
  const installer = createInstaller(service, {
    answers: createAnswers(),
    url: 'https://registry.example',
    importFiles: () =>
      findImportable(harness.environment, [folder], (_path, location) => readConfigText(location)),
  });
  const reading = await installer.showImports('cursor');
  const cards = reading.kind === 'servers' ? reading.cards : [];
  expect(cards.map(({ title, facts }) => [title, facts])).toEqual([['notes', [`From: ${path}`]]]);
  expect(await ran.sprung()).toEqual([]);
});

describe('what is pasted', () => {
  const token = `ghp_${'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5'}`;

  it.each(['\u200b', '\u202e', '\u2066', '\u00ad', '\u3164', '\u00a0', '\u0007'])(
    'is not used with %j in it, written or escaped',
    async (hidden) => {
      const installer = await open([]);
      const escaped = `\\u${hidden.charCodeAt(0).toString(16).padStart(4, '0')}`;
      for (const one of [hidden, escaped]) {
        const text = `{"mcpServers":{"a${one}b":{"command":"x","args":["c${one}d"]}}}`;
        expect(await installer.read(text)).toMatchObject({ kind: 'wrong' });
      }
      expect(await installer.read(`npx a${hidden}b`)).toMatchObject({ kind: 'wrong', at: 5 });
      expect(await installer.read('npx ab')).toMatchObject({ kind: 'servers' });
    },
  );

  it.each(['https://<tenant>.example/mcp', 'https://a.example/mcp'])(
    'says that it reads the surroundings when it leads to %s',
    async (url) => {
      const installer = await open([]);
      const cautions = async (value: string) => {
        const reading = await installer.read(JSON.stringify({ url, headers: { 'X-Key': value } }));
        const [card] = reading.kind === 'servers' ? reading.cards : [];
        const params = paramsFor(installer, card as OfferDetails, mine, { 'gap-url': 'a' });
        return (await installer.preview(params)).cautions;
      };
      expect(await cautions('${env:GITHUB_TOKEN}')).toEqual([
        'It reads environment variables or secrets.',
      ]);
      expect(await cautions('plain')).toEqual([]);
    },
  );

  it('is nowhere in what the page is told of it when it holds a secret', async () => {
    const installer = await open([]);
    for (const text of [
      token,
      `https://user:${token}@a.example/mcp`,
      `https://a.example/mcp?token=${token}`,
      `{"a": "${token}"`,
      `API_KEY=${token} npx -y a@1.0.0`,
      `npx -y a@1.0.0 --api-key ${token}`,
      `{"url":"https://a.example/","headers":{"Authorization":"Bearer ${token}"}}`,
      `claude mcp add a https://a.example/ --header "X-Key: ${token}"`,
    ]) {
      const reading = await installer.read(text);
      const [card] = reading.kind === 'servers' ? reading.cards : [];
      const preview = card && (await installer.preview(paramsFor(installer, card, mine)));
      expect(JSON.stringify([reading, preview])).not.toContain(token);
      expect(registry?.requests).toEqual([]);
      await registry?.close();
    }
  });

  it('names no program of its own for a package, and no other for a registry', async () => {
    const installer = await open([npm({ identifier: 'b' })], [], { name: 'com.example/other' });
    // the answer is about another server than the one that was asked for
    await expect(installer.open('com.example/hostile')).rejects.toThrow();
    expect(await ran.sprung()).toEqual([]);
  });
});
