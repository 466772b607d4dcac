/** Consent on the command line: real processes, real servers, and a person at a terminal who is played. */
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import type { WorkspaceFolder } from '../../src/config/definition.js';
import { useCommandLine } from '../helpers/commandLine.js';
import { memory, noted, notedPids, useCoreHarness } from '../helpers/coreHarness.js';

const cli = useCommandLine();
const harness = useCoreHarness();
let folder: string;
let pids: string;

beforeEach(async () => {
  pids = join(harness.root, 'pids');
  const work = await harness.addFolder('work', { a: noted(pids, memory), b: memory });

  folder = work.fsPath ?? '';
});
const run = (...args: readonly string[]) => cli(harness.root, args, { cwd: folder });
const json = (...args: readonly string[]) => run('--json', ...args).document();
const states = async () => {
  const { document } = await json('list');
  return document.servers.map(({ name, state }: Record<string, string>) => `${name} ${state}`);
};

/** The command at a terminal, where a person answers. */
async function atTerminal(answer: string | undefined, ...args: readonly string[]) {
  let shown = '';
  const status = await main([...args, '--home', join(harness.root, 'home')], {
    whenInputEnds: async () => undefined,
    stdio: () => new PassThrough(),
    isTerminal: true,
    openBrowser: () => undefined,
    readLine: async () => answer,
    writeOut: () => undefined,
    writeError: (text) => {
      shown += text;
    },
    env: { PATH: process.env.PATH },
    cwd: folder,
    signal: new AbortController().signal,
  });
  return { status, shown };
}

it('lets run from now on what it shows, and nothing else', async () => {
  const { status, document, error } = await json('trust', 'a', '--yes');
  expect([status, document]).toEqual([0, { folder, granted: ['a'], waiting: ['b'] }]);
  expect(error).toContain(memory.args[0]);
  expect(await notedPids(pids)).toEqual([]);
  expect(await states()).toEqual(['a idle', 'b trust_required']);
  expect(await json('probe', '--server', 'a')).toMatchObject({ status: 0 });
  expect(await notedPids(pids)).toHaveLength(1);
  const record = join(harness.root, 'home/.pi/agent/pi-mcp/mcp-stdio-trust.json');
  expect((await stat(record)).mode & 0o077).toBe(0);
});

describe('consent to a folder that is another one now, or gone', () => {
  const record = async () => {
    const file = join(harness.root, 'home/.pi/agent/pi-mcp/mcp-stdio-trust.json');
    return Object.keys(JSON.parse(await readFile(file, 'utf8')).folders);
  };

  /** Until its time of birth is not that of its last change, which a disk without the one gives for it. */
  const ageFolder = () =>
    expect
      .poll(async () => {
        await chmod(folder, 0o755);
        const { birthtimeNs, ctimeNs } = await stat(folder, { bigint: true });
        return birthtimeNs !== ctimeNs;
      })
      .toBe(true);

  it('tells the two apart in words, and is withdrawn', async () => {
    await ageFolder();
    await json('trust', '--yes');
    const text = await readFile(join(folder, '.mcp.json'), 'utf8');
    await rm(folder, { recursive: true });
    await mkdir(folder);
    await writeFile(join(folder, '.mcp.json'), text);
    const { out } = await run('list').ended;
    const [, before, now] = /it was (.*?), and is now (.*?)\.\n/.exec(out) ?? [];
    expect(before).toMatch(/^the folder made \d{4}-/);
    expect(now).toMatch(/^the folder (?:made|with the number) \d+/);
    expect(before).not.toBe(now);
    expect(await record()).toHaveLength(1);
    expect((await json('revoke')).document).toEqual({ folder, revoked: true });
    expect(await record()).toEqual([]);
    expect((await json('revoke')).document).toEqual({ folder, revoked: false });
  });

  it('is withdrawn by the path of a folder that was deleted, and of that alone', async () => {
    await json('trust', '--yes');
    await rm(folder, { recursive: true });
    const elsewhere = (...args: readonly string[]) =>
      cli(harness.root, ['--json', '--folder', folder, ...args], { cwd: harness.root }).document();
    expect((await elsewhere('list')).status).toBe(2);
    expect((await elsewhere('trust', '--yes')).status).toBe(2);
    expect(await record()).toHaveLength(1);
    expect((await elsewhere('revoke')).document).toEqual({ folder, revoked: true });
    expect(await record()).toEqual([]);
  });
});

describe('trust in a folder as a whole', () => {
  it('covers what its files declare later, after one question', async () => {
    const { status, document } = await json('trust', '--folder-trust', '--yes');
    expect([status, document]).toEqual([0, { folder, granted: ['a', 'b'], waiting: [] }]);
    const [work] = harness.folders;
    await harness.write(work as WorkspaceFolder, { a: memory, later: memory });
    expect(await states()).toEqual(['a idle', 'later idle']);
    expect((await json('revoke')).document).toEqual({ folder, revoked: true });
    expect(await states()).toEqual(['a trust_required', 'later trust_required']);
  });

  it('is not given without a person who says yes, nor for single servers', async () => {
    expect((await json('trust', '--folder-trust')).status).not.toBe(0);
    const { status, shown } = await atTerminal('n', 'trust', '--folder-trust');
    expect(status).toBe(1);
    expect(shown).toContain('with all MCP servers of its files');
    expect((await json('trust', '--folder-trust', 'a', '--yes')).status).toBe(2);
    expect(await states()).toEqual(['a trust_required', 'b trust_required']);
  });
});

it('asks again for a server that changed, and shows how', async () => {
  await json('trust', '--yes');
  expect(await states()).toEqual(['a idle', 'b idle']);
  const changed = { a: noted(pids, memory), b: { ...memory, env: { EVIL: 'yes' } } };
  await writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: changed }));
  expect(await states()).toEqual(['a idle', 'b trust_required']);
  const { error } = await json('trust', '--yes');
  expect(error).toMatch(/now: .*EVIL/);
  expect(await states()).toEqual(['a idle', 'b idle']);
});

it('needs a yes, at a terminal or as an option', async () => {
  const { status, document, error } = await json('trust');
  expect([status, document.error.code]).toEqual([1, 'unconfirmed']);
  expect(error).toContain(memory.args[0]);
  for (const answer of ['', 'n', 'yesterday', undefined]) {
    expect((await atTerminal(answer, 'trust')).status).toBe(1);
  }
  expect(await states()).toEqual(['a trust_required', 'b trust_required']);
  const agreed = await atTerminal('y', 'trust');
  expect([agreed.status, agreed.shown]).toEqual([
    0,
    expect.stringMatching(/a:\n[\s\S]*b:\n[\s\S]*\[y\/N\] $/),
  ]);
  expect(await states()).toEqual(['a idle', 'b idle']);
});

it('names a server that there is not, and has nothing against one that needs no consent', async () => {
  await harness.writeGlobal({ mine: memory });
  expect((await json('trust', 'nobody', '--yes')).document.error.code).toBe('server_unknown');
  expect((await json('trust', 'mine', '--yes')).document).toMatchObject({ granted: [] });
});

it('is not read from any file of the folder', async () => {
  const record = join(harness.root, 'home/.pi/agent/pi-mcp/mcp-stdio-trust.json');
  await json('trust', '--yes');
  const text = await readFile(record, 'utf8');
  await json('revoke');
  for (const place of [
    'mcp-stdio-trust.json',
    '.pi/mcp-stdio-trust.json',
    '.pi/agent/pi-mcp/mcp-stdio-trust.json',
  ]) {
    await mkdir(dirname(join(folder, place)), { recursive: true });
    await writeFile(join(folder, place), text);
  }
  expect(await states()).toEqual(['a trust_required', 'b trust_required']);
});
