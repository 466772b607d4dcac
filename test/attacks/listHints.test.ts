/** Servers that would have their lists read without end, or kept for others, by what they say of them. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CoreHarness, find } from '../helpers/coreHarness.js';
import { FakeClock } from '../helpers/fakes/fakeClock.js';
import { repository } from '../workbench/paths.mjs';

const tool = { name: 'shown', inputSchema: { type: 'object' } };
let core: CoreHarness;
let clock: FakeClock;

beforeEach(async () => {
  core = await CoreHarness.create();
  clock = new FakeClock();
});

afterEach(() => core.dispose());

/** @param said by `tools/list` beside its tools, as JSON */
async function connect(said: string) {
  const script = join(core.root, 'script.json');
  const record = join(core.root, 'record');
  const list = `{"tools":[${JSON.stringify(tool)}],${said}}`;
  await writeFile(script, `{"results":{"tools/list":${list}}}`);
  const program = join(repository, 'test/fixtures/servers/scripted.mjs');
  const launch = { command: process.execPath, args: [program, script, record] };
  await core.writeGlobal({ hostile: { ...launch, idleTimeout: 0 } });
  const service = core.open(undefined, { clock });
  await service.whenStarted();
  const server = find(service, 'hostile');
  await server.ensureConnected();
  const reads = async () =>
    (await readFile(record, 'utf8')).split('"method":"tools/list"').length - 1;
  return { server, reads };
}

describe('a list that is good for next to nothing', () => {
  const storms = ['0', '1', '-5', '-1e308', '0.0001'];

  it.each(storms)('(%s ms) is read once however often it is used', async (ttlMs) => {
    const { server, reads } = await connect(`"ttlMs":${ttlMs}`);
    for (let use = 0; use < 500; use++) {
      await Promise.all([server.refreshLists(), server.refreshLists()]);
      clock.advance(1);
    }
    expect(await reads()).toBe(1);
    // the canary: it does count
    clock.advance(500);
    await Promise.all([server.refreshLists(), server.refreshLists(), server.refreshLists()]);
    expect(await reads()).toBe(2);
  });

  it.each(['1e999', '"0"', 'null', '[0]', '{"valueOf":0}', 'true'])(
    'by what is no time (%s) is as one that says nothing',
    async (ttlMs) => {
      const { server, reads } = await connect(`"ttlMs":${ttlMs},"cacheScope":{"private":1}`);
      clock.advance(60_000);
      await server.refreshLists();
      expect([await reads(), server.catalog.value.isPrivate]).toEqual([1, undefined]);
      expect(server.catalog.value.tools.map(({ name }) => name)).toEqual(['shown']);
    },
  );
});

it('a list that is good for ever is read again after a day', async () => {
  const { server, reads } = await connect('"ttlMs":9007199254740991');
  clock.advance(23 * 3_600_000);
  await server.refreshLists();
  expect(await reads()).toBe(1);
  clock.advance(2 * 3_600_000);
  await server.refreshLists();
  expect(await reads()).toBe(2);
});
