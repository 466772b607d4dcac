import { mkdir, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConsentRequest, McpService } from '../../src/mcp/mcpApi.js';
import { describeLines, diffDescriptions } from '../../src/mcp/trust/descriptionLines.js';
import { createFileTree, type FileTree, Link, Program } from '../helpers/attacks/fileTree.js';
import { Lookups } from '../helpers/attacks/lookups.js';
import { Tripwires } from '../helpers/attacks/tripwires.js';
import { CoreHarness, find, memory, reach, states } from '../helpers/coreHarness.js';

let core: CoreHarness;
let ran: Tripwires;
let root: string;

beforeEach(async () => {
  core = await CoreHarness.create();
  root = await realpath(core.root);
  ran = await Tripwires.create(join(root, 'ran'));
});

afterEach(() => core.dispose());

type Entry = Readonly<Record<string, unknown>>;

async function open(entry: Entry, files: FileTree = {}) {
  const folder = await core.addFolder('repository', { a: entry });
  await createFileTree(folder.fsPath ?? '', files);
  const service = core.open();
  await service.whenStarted();
  const ask = async () => {
    const [request] = await service.trust.pendingConsent(folder.uri);
    if (!request) {
      throw new Error('Nothing waits');
    }
    return request;
  };
  return { folder, service, ask };
}

function shown({ description }: ConsentRequest): string {
  return describeLines(description)
    .map(({ label, text }) => `${label}: ${text}`)
    .join('\n');
}

async function settle(service: McpService): Promise<void> {
  await find(service, 'a')
    .ensureConnected()
    .catch(() => undefined);
}

/** Text of the lines that came. */
function news(request: ConsentRequest): string {
  const { reason, description } = request;
  const lines = reason.kind === 'changed' ? diffDescriptions(reason.consented, description) : [];
  return lines
    .filter(({ change }) => change === 'added')
    .map(({ text }) => text)
    .join('\n');
}

describe('what a repository hides in a launch is in the question', () => {
  it.each<
    readonly [what: string, entry: Entry, files: () => FileTree, expected: readonly string[]]
  >([
    [
      'an executable below a working directory of its own',
      { command: './server', cwd: 'sub' },
      () => ({ server: new Program(''), 'sub/server': new Program('') }),
      ['/repository/sub/server (a file of this folder)', 'working directory: '],
    ],
    [
      'a program of the folder that its PATH puts before that of the user',
      { command: 'node', env: { PATH: '${workspaceFolder}/bin:/usr/bin' } },
      () => ({ 'bin/node': new Program('') }),
      ['/repository/bin/node (a file of this folder)', 'PATH=${workspaceFolder}/bin:/usr/bin'],
    ],
    [
      'a package that is a file of the folder',
      { command: 'npx', args: ['-y', 'harmless-mcp'] },
      () => ({
        'node_modules/harmless-mcp/package.json': {
          name: 'harmless-mcp',
          version: '1.0.0',
          bin: 'x.js',
        },
        'node_modules/harmless-mcp/x.js': '',
      }),
      ['package: harmless-mcp 1.0.0: ', '/node_modules/harmless-mcp/x.js (a file of this folder)'],
    ],
    [
      'a working directory that is a link out of the folder',
      { command: 'node', cwd: 'docs' },
      () => ({ docs: new Link(join(root, 'home')) }),
      ['a link that leads to ', '/home (outside of the folder; looked up only once you trust it)'],
    ],
    [
      'an executable that is a link out of the folder',
      { command: './tool' },
      () => ({ tool: new Link('/bin/sh') }),
      ['/tool, a link that leads to /bin/sh (outside of the folder;'],
    ],
    [
      'a place of another machine',
      { command: '//share/evil', cwd: '/net/evil' },
      () => ({}),
      ['/net/evil (outside of the folder; looked up only once you trust it)'],
    ],
  ])('%s', async (_what, entry, files, expected) => {
    const { ask } = await open(entry, files());
    const text = shown(await ask());
    for (const part of expected) {
      expect(text).toContain(part);
    }
  });

  it('the last of many servers, and the end of a long text', async () => {
    const folder = await core.addFolder('many', {
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [`s${at}`, { command: `c${at}` }]),
      ),
      last: { command: 'sh', args: ['-c', `${'x'.repeat(5000)} THE-END`] },
    });
    const service = core.open();
    await service.whenStarted();
    const requests = await service.trust.pendingConsent(folder.uri);
    expect(requests).toHaveLength(41);
    expect(shown(requests[40] as ConsentRequest)).toContain('THE-END');
  });
});

describe('before consent', () => {
  it.each([
    ['an absolute command', () => ({ command: join(root, 'looked-up/x') })],
    ['an absolute directory', () => ({ command: 'node', cwd: join(root, 'looked-up') })],
    ['a directory of the user', () => ({ command: 'node', cwd: '~/looked-up' })],
    ['a PATH of its own', () => ({ command: 'tool', env: { PATH: join(root, 'looked-up') } })],
    ['a link', () => ({ command: './link/looked-up' })],
    ['a package below a link', () => ({ command: 'npx', args: ['looked-up'], cwd: 'link' })],
    ['a package that is a link', () => ({ command: 'npx', args: ['linked'] })],
    ['a file of variables', () => ({ command: 'node', envFile: join(root, 'looked-up/.env') })],
    ['a file of variables of the user', () => ({ command: 'node', envFile: '~/looked-up' })],
    ['a file of variables behind a link', () => ({ command: 'node', envFile: 'link/looked-up' })],
  ])('nothing outside of the folder is looked up: %s', async (_what, entry) => {
    await mkdir(join(root, 'looked-up'));
    const { ask } = await open(entry(), {
      link: new Link(root),
      'node_modules/linked': new Link(join(root, 'looked-up')),
    });
    const lookups = new Lookups();
    try {
      await ask();
      expect(lookups.of(`${root}/repository`)).not.toEqual([]);
      const allowed = lookups.of('looked-up').filter((path) => !path.includes('/_npx/'));
      expect(allowed.filter((path) => !path.startsWith(`${root}/repository/`))).toEqual([]);
    } finally {
      lookups.dispose();
    }
  });

  /** Our own storage, and the way to it, may be looked through at any time. */
  const isOfRepository = (path: string) =>
    !path.startsWith(core.storageDir) && !core.storageDir.startsWith(`${path}/`);

  it('nothing at all is looked up in Restricted Mode', async () => {
    core.isTrusted = false;
    const { folder, service } = await open({ command: './x', cwd: 'looked-up' });
    const lookups = new Lookups();
    try {
      await service.trust.pendingConsent(folder.uri);
      expect(lookups.of('').filter(isOfRepository)).toEqual([]);
    } finally {
      lookups.dispose();
    }
  });
});

describe('a file of variables', () => {
  const tell = (name: string) => new Program(`printf %s "$${name}" > '${ran.path('a')}'`);
  const told = () => readFile(ran.path('a'), 'utf8').catch(() => undefined);

  it('control: is shown by its names, never by its values, and reaches the server', async () => {
    const { folder, service, ask } = await open(
      { command: './server', env: { B: 'entry' }, envFile: '.env' },
      { server: tell('A'), '.env': 'A=v4lue-of-a\nB=v4lue-of-b\nNODE_OPTIONS=--require=./evil.js' },
    );
    const request = await ask();
    expect(shown(request)).toMatch(
      /environment file: .*\/\.env \(a file of this folder\): sets A, B, NODE_OPTIONS \(content \w{8}\)/,
    );
    expect(JSON.stringify(request)).not.toContain('v4lue');
    await service.trust.trustServers(folder.uri, [request]);
    await settle(service);
    expect(await told()).toBe('v4lue-of-a');
  });

  it('asks again when it changed, and shows that', async () => {
    const { folder, service, ask } = await open(
      { command: './server', envFile: '.env' },
      { server: tell('A'), '.env': 'A=1' },
    );
    const request = await ask();
    await createFileTree(folder.fsPath ?? '', { '.env': 'A=2' });
    await service.trust.trustServers(folder.uri, [request]);
    await settle(service);
    expect([await told(), states(service)]).toEqual([undefined, { a: 'trust_required' }]);
    const again = await ask();
    expect(news(again)).toContain('sets A (content');
    await service.trust.trustServers(folder.uri, [again]);
    await settle(service);
    expect(await told()).toBe('2');
  });

  it('cannot put another program on the way of the one that was described', async () => {
    const { folder, service, ask } = await open(
      { command: 'described-tool', envFile: '.env' },
      { 'bin/described-tool': tell('A'), '.env': 'A=1' },
    );
    const request = await ask();
    const PATH = join(folder.fsPath ?? '', 'bin');
    await createFileTree(folder.fsPath ?? '', { '.env': `A=1\nPATH=${PATH}` });
    await service.trust.trustServers(folder.uri, [request]);
    await settle(service);
    expect([await told(), states(service)]).toEqual([undefined, { a: 'trust_required' }]);
    expect(shown(await ask())).toContain('/bin/described-tool (a file of this folder)');
  });

  it.each([
    ['larger than any of them', () => ({ '.env': `A=1\n${'#'.repeat(200_000)}` })],
    ['one that leads to a device', () => ({ '.env': new Link('/dev/zero') })],
    ['one with more names than anybody reads', () => ({ '.env': 'A=1\n'.concat(manyLines()) })],
  ])('is not acted on: %s', async (_what, files) => {
    const { folder, service, ask } = await open(
      { command: './server', envFile: '.env' },
      { server: tell('A'), ...files() },
    );
    const request = await ask();
    expect(shown(request)).not.toContain('sets');
    await service.trust.trustServers(folder.uri, [request]);
    await settle(service);
    expect([await told(), states(service)]).toEqual([undefined, { a: 'error' }]);
  });

  function manyLines(): string {
    return Array.from({ length: 300 }, (_, at) => `V${at}=x`).join('\n');
  }
});

describe('after consent, another file of the folder', () => {
  it('control: what was described runs', async () => {
    const { folder, service, ask } = await open(
      { command: './server' },
      {
        server: new Program(`touch '${ran.path('a')}'`),
      },
    );
    await service.trust.trustServers(folder.uri, [await ask()]);
    await settle(service);
    expect(await ran.sprung()).toEqual(['a']);
  });

  it('is not run in place of a link that was described', async () => {
    const { folder, service, ask } = await open(
      { command: './link' },
      {
        harmless: new Program(''),
        evil: new Program(`touch '${ran.path('a')}'`),
        link: new Link('harmless'),
      },
    );
    const request = await ask();
    await rm(join(folder.fsPath ?? '', 'link'));
    await createFileTree(folder.fsPath ?? '', { link: new Link('evil') });
    await service.trust.trustServers(folder.uri, [request]);
    await settle(service);
    expect([await ran.sprung(), states(service)]).toEqual([[], { a: 'trust_required' }]);
    const again = await ask();
    expect(news(again)).toContain('/repository/evil');
    await service.trust.trustServers(folder.uri, [again]);
    await settle(service);
    expect(await ran.sprung()).toEqual(['a']);
  });

  it('is not run in place of a package of the registry', async () => {
    const { folder, service, ask } = await open({ command: 'npx', args: ['-y', 'harmless-mcp@1'] });
    const request = await ask();
    await createFileTree(folder.fsPath ?? '', {
      'node_modules/harmless-mcp/package.json': {
        name: 'harmless-mcp',
        version: '1.0.0',
        bin: 'x.js',
      },
      'node_modules/harmless-mcp/x.js': `require('fs').writeFileSync(${JSON.stringify(ran.path('a'))}, '')`,
    });
    await service.trust.trustServers(folder.uri, [request]);
    await settle(service);
    expect([await ran.sprung(), states(service)]).toEqual([[], { a: 'trust_required' }]);
    expect(news(await ask())).toContain('harmless-mcp/x.js (a file of this folder)');
  });

  it('is not run when a variable of the user turns out to lead to it', async () => {
    const { folder, service, ask } = await open(
      { command: '${NOT_SET:-./server}' },
      {
        server: new Program(`touch '${ran.path('a')}'`),
      },
    );
    await service.trust.trustServers(folder.uri, [await ask()]);
    await settle(service);
    expect([await ran.sprung(), states(service)]).toEqual([[], { a: 'trust_required' }]);
    expect(news(await ask())).toContain('/repository/server (a file of this folder)');
  });

  it('does not run elsewhere when its directory became a link', async () => {
    const { folder, service, ask } = await open(
      { ...ran.launch('a'), cwd: 'sub' },
      { 'sub/x': '' },
    );
    const request = await ask();
    await rm(join(folder.fsPath ?? '', 'sub'), { recursive: true });
    await createFileTree(folder.fsPath ?? '', { sub: new Link(join(root, 'home')) });
    await service.trust.trustServers(folder.uri, [request]);
    await settle(service);
    expect([await ran.sprung(), states(service)]).toEqual([[], { a: 'trust_required' }]);
    expect(news(await ask())).toContain('/home (outside of the folder)');
  });

  it('asks nothing twice where nothing changed', async () => {
    const { folder, service, ask } = await open(memory);
    await service.trust.trustServers(folder.uri, [await ask()]);
    await reach(find(service, 'a'), 'connected');
    await find(service, 'a').restart();
    expect(states(service)).toEqual({ a: 'connected' });
  });
});
