import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callsAsCsv, callsAsJsonLines } from '../../../../src/mcp/callLog/callExport.js';
import { CallFiles, daysOf } from '../../../../src/mcp/callLog/callFiles.js';
import { CallLog } from '../../../../src/mcp/callLog/callLog.js';
import { type CallRecord, callLine, readCallLine } from '../../../../src/mcp/callLog/callRecord.js';
import { callsAsRecording } from '../../../../src/mcp/callLog/callsAsRecording.js';
import { nullLogger } from '../../../../src/platform/ports.js';
import { InspectorModel } from '../../../../src/presentation/inspector/inspectorModel.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';

const day = 86_400_000;
const now = Date.parse('2026-11-28T12:00:00Z');
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pi-mcp-calls-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

function record(change: Partial<CallRecord> = {}): CallRecord {
  const time = new Date(now).toISOString();
  const call = { by: 'agent', server: 's', tool: 't', arguments: {}, outcome: 'ok' };
  return { time, ...call, ms: 1, size: 2, ...change };
}

const line = (change: Partial<CallRecord> = {}) => `${JSON.stringify(record(change))}\n`;

async function names(): Promise<readonly string[]> {
  const all = await readdir(directory, { recursive: true });
  return all.filter((name) => name.endsWith('.jsonl')).sort();
}

const all = { since: 0, folders: [undefined, '/a', '/b'], most: 100 };

describe('the files', () => {
  it('are one a day for each folder, readable by the user alone', async () => {
    const files = new CallFiles(directory);
    await files.append('/a', now, line({ tool: 'first' }));
    await files.append('/a', now + 1, line({ tool: 'second' }));
    await files.append('/b', now, line());
    await files.append(undefined, now + day, line());
    expect((await names()).map((name) => name.replace(/-[0-9a-f]{16}/, ''))).toEqual([
      'a/2026-11-28.jsonl',
      'b/2026-11-28.jsonl',
      'user/2026-11-29.jsonl',
    ]);
    const { calls } = await files.read({ ...all, folders: ['/a'] });
    expect(calls.map(({ tool }) => tool)).toEqual(['first', 'second']);
  });

  it('lose what is older than the days that the user wants, and nothing that is not theirs', async () => {
    const files = new CallFiles(directory);
    for (const days of [0, 3, 4, 9]) {
      await files.append('/a', now - days * day, line());
    }
    const other = join(directory, 'user');
    await mkdir(other);
    await writeFile(join(other, '2000-01-01.txt'), 'mine');
    await files.prune(3, now);
    expect((await names()).map((name) => name.slice(-16, -6))).toEqual([
      '2026-11-25',
      '2026-11-28',
    ]);
    expect(await readFile(join(other, '2000-01-01.txt'), 'utf8')).toBe('mine');
  });

  it('lose the oldest first when they are too large together', async () => {
    const files = new CallFiles(directory, 3 * line().length);
    for (const days of [3, 2, 1, 0]) {
      await files.append(days % 2 === 0 ? '/a' : '/b', now - days * day, line());
    }
    await files.prune(100, now);
    expect((await names()).map((name) => name.slice(-16, -6)).sort()).toEqual([
      '2026-11-26',
      '2026-11-27',
      '2026-11-28',
    ]);
  });

  it('keep the newer half of a day that is too large alone', async () => {
    const files = new CallFiles(directory, 500);
    for (let index = 0; index < 8; index++) {
      await files.append('/a', now, line({ ms: index }));
    }
    await files.prune(100, now);
    const { calls, skipped } = await files.read(all);
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.at(-1)?.ms).toBe(7);
    expect(skipped).toBe(0);
    expect(calls.reduce((sum, call) => sum + line(call).length, 0)).toBeLessThanOrEqual(500);
  });

  it('are read by time, server and number, the newest of them', async () => {
    const files = new CallFiles(directory);
    for (const [days, server] of [
      [2, 's'],
      [1, 'other'],
      [1, 's'],
      [0, 's'],
    ] as const) {
      const at = now - days * day;
      await files.append('/a', at, line({ time: new Date(at).toISOString(), server, ms: days }));
    }
    const read = async (filter: object) => {
      const { calls, isPart } = await files.read({ ...all, ...filter });
      return [calls.map(({ ms }) => ms), isPart];
    };
    expect(await read({})).toEqual([[2, 1, 1, 0], false]);
    expect(await read({ server: 's' })).toEqual([[2, 1, 0], false]);
    expect(await read({ since: now - day })).toEqual([[1, 1, 0], false]);
    expect(await read({ most: 2 })).toEqual([[1, 0], true]);
    expect(await read({ folders: ['/b'] })).toEqual([[], false]);
  });

  it('tell other processes what the setting says, and are not there before it says something', async () => {
    const place = join(directory, 'calls');
    const files = new CallFiles(place);
    expect(await files.readKeepDays()).toBe(0);
    await files.storeKeepDays(0);
    await expect(readdir(place)).rejects.toThrow('ENOENT');
    await files.storeKeepDays(7.9);
    expect(await files.readKeepDays()).toBe(7);
    await writeFile(join(place, 'keep.json'), '{"keepDays": "all"}');
    expect(await files.readKeepDays()).toBe(0);
  });

  it.each([
    [30, 30],
    [0.5, 0],
    [-1, 0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 3650],
    ['30', 0],
  ])('take %j for %i days', (value, days) => {
    expect(daysOf(value)).toBe(days);
  });
});

describe('the log', () => {
  const made = {
    folder: '/a',
    server: 's',
    tool: 't',
    args: { a: 1 },
    maker: { by: 'person' } as const,
  };
  const mask = () => (text: string) => text;

  function open(keepDays: { value: number }) {
    const files = new CallFiles(directory);
    const clock = new FakeClock();
    const log = new CallLog({ files, clock, logger: nullLogger, keepDays: () => keepDays.value });
    return { files, log };
  }

  it('has each call once it has ended, as it ended', async () => {
    const { files, log } = open({ value: 7 });
    const ends = [
      async () => ({ content: [], isError: false }),
      async () => ({ content: [], isError: true }),
      () => Promise.reject(new DOMException('stopped', 'AbortError')),
      () => Promise.reject(new Error('broken')),
    ];
    for (const end of ends) {
      await log.run(made, mask, end).catch(() => undefined);
    }
    await log.flush();
    const { calls } = await files.read(all);
    expect(calls.map(({ outcome, size }) => [outcome, size])).toEqual([
      ['ok', 30],
      ['tool_error', 29],
      ['cancelled', 0],
      ['failed', 0],
    ]);
    expect(calls[0]).toMatchObject({ by: 'person', folder: '/a', arguments: { a: 1 } });
  });

  it('is off with 0 days, also for a call that was made before', async () => {
    const keepDays = { value: 0 };
    const { files, log } = open(keepDays);
    await log.run(made, mask, async () => ({}));
    keepDays.value = 1;
    await log.run(made, mask, async () => {
      keepDays.value = 0;
      return {};
    });
    await log.flush();
    expect((await files.read(all)).calls).toEqual([]);
  });

  it('costs no call its result when the disk refuses', async () => {
    await writeFile(join(directory, 'a'), '');
    const said: string[] = [];
    const log = new CallLog({
      files: new CallFiles(join(directory, 'a', 'b')),
      clock: new FakeClock(),
      logger: { ...nullLogger, log: (_level, text) => said.push(text) },
      keepDays: () => 1,
    });
    expect(await log.run(made, mask, async () => ({ fine: true }))).toEqual({ fine: true });
    await log.flush();
    expect(said).toMatchObject([expect.stringMatching(/^The log of calls cannot be written/)]);
  });
});

describe('a line', () => {
  const end = { time: new Date(now).toISOString(), outcome: 'ok', ms: 1, size: 2 };

  it('has only the beginning of large arguments', () => {
    const args = { text: 'x'.repeat(100_000) };
    const call = { folder: undefined, server: 's', tool: 't', args, maker: { by: 'app' } as const };
    const written = callLine(call, end, (text) => text);
    expect(written.length).toBeLessThan(6_000);
    expect(readCallLine(written)?.arguments).toMatch(/^\{"text":"x+…$/);
  });

  it('is a request and what is said of its answer, where recordings are shown', () => {
    const calls = [
      record({ approval: 'rule', rule: 'folder: s/t' }),
      record({ outcome: 'exited' }),
    ];
    const model = new InspectorModel(callsAsRecording(calls));
    expect(model.rows).toMatchObject([
      { method: 'agent', target: 't', status: 'ok', ms: 1 },
      { method: 'agent', target: 't', status: 'error', note: 'exited' },
    ]);
    expect(model.find(['folder: s/t'])).toEqual([model.rows[0]?.id]);
  });

  it('has the id of a trace, and nothing else in its place', () => {
    const trace = 'c'.repeat(32);
    expect(readCallLine(line({ trace }))?.trace).toBe(trace);
    expect(readCallLine(line({ trace: `${trace} more` }))?.trace).toBeUndefined();
  });

  it('is one of JSON and one of CSV when it is exported', () => {
    const trace = 'c'.repeat(32);
    const call = record({ arguments: { a: 'x,"y"', b: '\u202e' }, trace });
    const json = callsAsJsonLines([call]);
    expect(json).toMatch(/\\u202e/);
    expect(readCallLine(json.trim())).toEqual(call);
    expect(callsAsCsv([call]).split('\n')).toEqual([
      'time,by,name,folder,server,tool,arguments,outcome,ms,size,approval,rule,trace',
      `"${call.time}","agent","","","s","t","{""a"":""x,\\""y\\"""",""b"":""\u202e""}","ok",1,2,"","","${trace}"`,
      '',
    ]);
  });
});
