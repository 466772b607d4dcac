/** Consent on the command line: real processes, real servers, and a person at a terminal who is played. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import { useCommandLine } from '../helpers/commandLine.js';
import { CoreHarness, memory, noted, notedPids } from '../helpers/coreHarness.js';

const cli = useCommandLine();
let harness: CoreHarness;
let folder: string;
let pids: string;

beforeEach(async () => {
  harness = await CoreHarness.create();
  pids = join(harness.root, 'pids');
  const work = await harness.addFolder('work', { a: noted(pids, memory), b: memory });
  folder = work.fsPath ?? '';
});
afterEach(() => harness.dispose());

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

it('is withdrawn as a whole', async () => {
  await json('trust', '--yes');
  expect((await json('revoke')).document).toEqual({ folder, revoked: true });
  expect(await states()).toEqual(['a trust_required', 'b trust_required']);
  expect((await json('revoke')).document).toEqual({ folder, revoked: false });
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
