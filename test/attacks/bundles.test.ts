/** What a bundle could do with the click that adds it: write elsewhere, fill the disk, be two things at once, or run. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import { BundleStore } from '../../src/mcp/bundles/bundleStore.js';
import type { Fetch } from '../../src/mcp/connection/http/fetch.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import { bundleSource } from '../../src/mcp/registry/bundleSource.js';
import { Tripwires } from '../helpers/attacks/tripwires.js';
import { manifest, packBundle, type RawFile, rawZip, signed } from '../helpers/bundles.js';
import { CoreHarness } from '../helpers/coreHarness.js';
import { createAnswers } from '../helpers/fakes/fakeAnswers.js';
import { createInstaller, paramsFor } from '../helpers/serverInstaller.js';

const zeros = '\0'.repeat(4 * 1024 * 1024);
const canary = 'written by the bundle';

let root: string;
let store: BundleStore;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'pi-mcp-bundles-')));
  const home = join(root, 'home');
  store = new BundleStore({
    platform: process.platform,
    homeDir: home,
    getVariable: () => undefined,
  });
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** With what every bundle has before it. */
function around(...files: readonly RawFile[]): readonly RawFile[] {
  return [
    { path: 'manifest.json', text: JSON.stringify(manifest) },
    { path: 'server/index.mjs', text: '' },
    ...files,
  ];
}

/** All that stands below the root, but for the bundle itself. */
async function written(): Promise<readonly string[]> {
  const names = await readdir(root, { recursive: true });
  return names.filter((name) => name !== 'x.mcpb').sort();
}

async function add(bytes: Buffer): Promise<void> {
  const path = join(root, 'x.mcpb');
  await writeFile(path, bytes);
  const bundle = await store.open(path);
  await store.add(bundle, join(root, 'home/mcp.json'), async () => undefined);
}

const evil = (path: string, rest: Partial<RawFile> = {}) =>
  rawZip(around({ path, text: canary, ...rest }));

describe('an archive', () => {
  it.each([
    ['a folder above', evil('../x')],
    ['a folder above, further in', evil('server/../../x')],
    ['this folder', evil('./x')],
    ['an absolute name', evil('/tmp/x')],
    ['a drive', evil('C:/x')],
    ['a name of Windows for above', evil('..\\x')],
    ['no name', evil('a//x')],
    ['a reserved name', evil('server/aux.js')],
    ['a reserved name with digits', evil('com¹')],
    ['a stream of another file', evil('server/index.mjs:x')],
    ['a name that ends in a dot', evil('server./x')],
    ['a name that nobody sees', evil('server/\u202Egpj.mjs')],
    ['a name that is cut', evil('x\0.mjs')],
    ['a name in another encoding', rawZip(around({ path: Buffer.from([0xff, 0x61]) }))],
    ['a long name', evil('x'.repeat(300))],
    ['a link', evil('x', { mode: 0o120777 })],
    ['a device', evil('x', { mode: 0o060666 })],
    ['a file twice', evil('server/index.mjs')],
    ['a file twice, but for its case', evil('SERVER/x')],
    ['a file twice, but for its spelling', rawZip(around({ path: 'é' }, { path: 'e\u0301' }))],
    ['a file that is a folder', evil('server/index.mjs/x')],
    ['an encrypted file', evil('x', { flags: 1 })],
    ['an encrypted directory', evil('x', { flags: 1 << 13 })],
    ['a method of its own', evil('x', { method: 12 })],
    ['two names in one file', evil('x', { localPath: 'y' })],
    ['another name beside', evil('x', { extra: Buffer.from([0x75, 0x70, 1, 0, 65]) })],
    ['sizes of zip64', evil('x', { extra: Buffer.from([1, 0, 0, 0]) })],
    ['a size of zip64', evil('x', { size: 0xffffffff })],
    ['a field without an end', evil('x', { extra: Buffer.from([9, 9, 255, 255]) })],
    ['less than it says', evil('x', { size: 5_000 })],
    ['more than it says', evil('x', { size: 1 })],
    ['other data than it says', evil('x', { crc: 7 })],
    ['no data at all', evil('x', { method: 0, size: 9 })],
    ['bytes before', rawZip(around(), { before: Buffer.from('#!/bin/sh\n') })],
    ['bytes between', rawZip([{ path: 'a', behind: Buffer.from('hidden') }, ...around()])],
    ['bytes behind', rawZip(around(), { behind: Buffer.from('hidden') })],
    ['a comment', rawZip(around(), { comment: Buffer.from('hidden') })],
    ['another archive behind', Buffer.concat([rawZip(around()), rawZip(around())])],
    ['fewer files than it holds', rawZip(around(), { count: 1 })],
    ['more files than it holds', rawZip(around(), { count: 9 })],
    ['several disks', rawZip(around(), { disk: 1 })],
    [
      'a file of the data of another one',
      evil('manifest.json', { text: JSON.stringify(manifest), isShared: true }),
    ],
    ['a bomb', evil('x', { text: zeros })],
    ['no archive', Buffer.from('MCPB')],
    ['half a signature', signed(rawZip(around())).subarray(0, -1)],
    [
      'a signature with more in it',
      Buffer.concat([signed(rawZip(around())), signed(Buffer.alloc(0))]),
    ],
  ])('with %s is refused, and writes nothing', async (_what, bytes) => {
    await expect(add(bytes)).rejects.toMatchObject({ code: 'bundle_archive' });
    expect(
      (await written()).filter(
        (name) => !/^home(?:\/\.pi(?:\/agent(?:\/pi-mcp(?:\/bundles)?)?)?)?$/.test(name),
      ),
    ).toEqual([]);
  });

  it('with many files is refused', async () => {
    const files = Array.from({ length: 20_001 }, (_item, index) => ({ path: `${index}` }));
    await expect(add(rawZip(files))).rejects.toThrow('too many files');
  });

  it('that unpacks to too much in all is refused before any of it is', async () => {
    const files = Array.from({ length: 600 }, (_item, index) => ({
      path: `${index}`,
      size: 1024 * 1024,
    }));
    await expect(add(rawZip(files))).rejects.toThrow('unpacks to too much');
  });

  it('control: a plain one is unpacked with the same paths, programs and signature', async () => {
    const files = around(
      { path: 'bin/', method: 0 },
      { path: 'bin/tool', text: canary, mode: 0o100755 },
      { path: 'empty', method: 0 },
      { path: 'ä.txt', text: 'plain', method: 0 },
    );
    await add(signed(rawZip(files)));
    const [name = ''] = await readdir(store.directory);
    const tool = join(store.directory, name, 'bin/tool');
    expect(await readFile(tool, 'utf8')).toBe(canary);
    expect((await stat(tool)).mode & 0o777).toBe(0o755);
    expect((await readdir(join(store.directory, name))).sort()).toEqual(
      ['bin', 'empty', 'manifest.json', 'server', 'ä.txt'].sort(),
    );
  });
});

describe('a bundle', () => {
  let harness: CoreHarness;
  let folder: WorkspaceFolder;
  let service: McpService;
  let ran: Tripwires;

  beforeEach(async () => {
    harness = await CoreHarness.create();
    ran = await Tripwires.create(join(root, 'ran'));
    folder = await harness.addFolder('work', {});
    service = harness.open();
    await service.whenStarted();
  });
  afterEach(() => harness.dispose());

  const hostile = (config: object, options: object = {}) => ({
    ...manifest,
    server: { type: 'binary', entry_point: 'run', mcp_config: config },
    user_config: options,
  });

  async function offer(about: object) {
    const path = join(root, 'x.mcpb');
    const script = '#!/bin/sh\n: > "$1"\n';
    await writeFile(path, packBundle({ run: script }, about));
    const installer = createInstaller(service, {
      answers: createAnswers(),
      url: 'http://127.0.0.1:1',
      machine: harness.environment,
    });
    const reading = await installer.read(path);
    return { installer, card: reading.kind === 'servers' ? reading.cards[0] : undefined };
  }

  it.each([
    ['a command in a variable', () => hostile({ command: 'x', env: { A: ran.commandValue('a') } })],
    [
      'a command as a default',
      () =>
        hostile(
          { command: 'x', env: { A: '${user_config.a}' } },
          { a: { type: 'string', title: 'A', default: ran.commandValue('a') } },
        ),
    ],
    ['a variable of the user', () => hostile({ command: 'x', args: ['${SECRET}'] })],
  ])('cannot bring %s', async (_what, about) => {
    const { installer, card } = await offer(about());
    expect(card?.ways[0]?.blocker).toBeDefined();
    const params = card && paramsFor(installer, card, 'User: Every Folder');
    await expect(params && installer.add(params)).rejects.toThrow();
    expect(await ran.sprung()).toEqual([]);
  });

  it('runs nothing when it is shown, unpacked or added to a folder, until the user agrees', async () => {
    const about = hostile({ command: '${__dirname}/run', args: [ran.path('started')] });
    const { installer, card } = await offer(about);
    const params = card && paramsFor(installer, card, 'Folder work: for Everybody');
    const { id } = (params && (await installer.add(params))) ?? {};
    await service.reload();
    const server = service.getServer(id ?? '');
    expect(server?.state.value.kind).toBe('trust_required');
    expect(await ran.sprung()).toEqual([]);
    // control: what the same bundle does once the user has agreed
    const waiting = await service.trust.pendingConsent(folder.uri);
    await service.trust.trustServers(folder.uri, waiting);
    await server?.ensureConnected().catch(() => undefined);
    expect(await ran.sprung()).toEqual(['started']);
  });
});

describe('the address of a bundle that a registry names', () => {
  const bundle = packBundle();
  const sha256 = createHash('sha256').update(bundle).digest('hex');
  const asked: string[] = [];
  const directories = () => readdir(join(root, 'home'), { recursive: true }).catch(() => []);
  const files = async () => (await directories()).filter((name) => name.endsWith('.mcpb'));
  /** Answers as the table says, and notes what it is asked. */
  const fetchFrom =
    (answers: Readonly<Record<string, () => Response>>): Fetch =>
    async (url) => {
      asked.push(String(url));
      const answer = answers[String(url)];
      if (!answer) {
        throw new Error(`canary: ${String(url)} was asked`);
      }
      return answer();
    };
  const moved = (location: string) => () =>
    new Response(null, { status: 302, headers: { location } });
  const first = 'https://files.example/x.mcpb';
  beforeEach(() => {
    asked.length = 0;
  });

  it.each([
    ['plain http', 'http://files.example/x.mcpb'],
    ['an address of this network', 'https://10.0.0.1/x.mcpb'],
    ['this machine', 'http://127.0.0.1:8080/x.mcpb'],
    ['a name and a password', 'https://user:word@files.example/x.mcpb'],
    ['a file', 'file:///etc/passwd'],
    ['no address', 'x.mcpb'],
  ])('is not fetched: %s', (_what, url) => {
    expect(bundleSource(url, sha256, true)).toBeUndefined();
  });

  it('is not fetched without a hash, which is what makes it the file that is meant', () => {
    expect(bundleSource(first, undefined, true)).toBeUndefined();
    expect(bundleSource(first, 'ab', true)).toBeUndefined();
    // control
    expect(bundleSource(first, sha256.toUpperCase(), true)).toEqual({ url: first, sha256 });
  });

  it.each([
    ['plain http', moved('http://files.example/y')],
    ['this machine', moved('http://127.0.0.1:8080/y')],
    ['an address of this network', moved('https://192.168.1.1/y')],
    ['a file', moved('file:///etc/passwd')],
    ['itself, without end', moved(first)],
    ['nowhere', () => new Response('no', { status: 404 })],
  ])('leads to nothing that is asked or kept: %s', async (_what, answer) => {
    const fetch = fetchFrom({ [first]: answer });
    await expect(store.download({ url: first, sha256 }, fetch)).rejects.toMatchObject({
      code: 'bundle_download',
    });
    expect(asked.every((url) => url === first)).toBe(true);
    expect(await files()).toEqual([]);
  });

  it('keeps nothing of another file than its hash says', async () => {
    const answers = {
      [first]: () => new Response(new Uint8Array(packBundle({ 'server/index.mjs': canary }))),
    };
    await expect(store.download({ url: first, sha256 }, fetchFrom(answers))).rejects.toMatchObject({
      code: 'bundle_download',
    });
    expect(await files()).toEqual([]);
    // control: what has it
    const good = fetchFrom({
      [first]: moved('/y'),
      'https://files.example/y': () => new Response(new Uint8Array(bundle)),
    });
    const path = await store.download({ url: first, sha256 }, good);
    expect((await store.open(path)).hash).toBe(sha256);
  });

  it('keeps nothing of a file without end', async () => {
    const chunk = new Uint8Array(8 * 1024 * 1024);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
    const fetch = fetchFrom({ [first]: () => new Response(endless) });
    await expect(store.download({ url: first, sha256 }, fetch)).rejects.toMatchObject({
      code: 'bundle_download',
    });
    expect(await files()).toEqual([]);
  });
});
