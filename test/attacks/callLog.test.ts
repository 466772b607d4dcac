/** Secrets, names and files that the log of calls must keep in their place. */
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callsAsCsv, callsAsJsonLines } from '../../src/mcp/callLog/callExport.js';
import { CallFiles } from '../../src/mcp/callLog/callFiles.js';
import { type CallRecord, callLine } from '../../src/mcp/callLog/callRecord.js';
import { callsAsRecording } from '../../src/mcp/callLog/callsAsRecording.js';
import { InspectorModel } from '../../src/presentation/inspector/inspectorModel.js';
import { createSecret, findSecrets } from '../helpers/attacks/secrets.js';
import { CoreHarness, everything, find } from '../helpers/coreHarness.js';

const now = Date.parse('2026-11-28T12:00:00Z');
const all = { since: 0, folders: [undefined, '/a'], most: 1_000 };
let directory: string;
let files: CallFiles;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pi-mcp-calls-'));
  files = new CallFiles(join(directory, 'calls'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

/** All bytes of the log. */
async function written(): Promise<string> {
  const names = await readdir(files.directory, { recursive: true });
  const texts = names
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => readFile(join(files.directory, name), 'utf8'));
  return (await Promise.all(texts)).join('');
}

describe('secrets in arguments', () => {
  const known = createSecret('canary');
  const typed = createSecret('typed');

  async function callWith(args: Readonly<Record<string, unknown>>, isConnected = true) {
    const core = await CoreHarness.create();
    try {
      await core.writeGlobal({
        all: isConnected ? everything : { command: join(directory, 'missing') },
        other: { ...everything, env: { API_TOKEN: known }, enabled: false },
      });
      const service = core.open(undefined, { callLog: { files, keepDays: () => 1 } });
      await service.whenStarted();
      await find(service, 'all')
        .callTool('echo', args)
        .catch(() => undefined);
    } finally {
      await core.dispose();
    }
    return await written();
  }

  it.each([
    ['a connected server', true],
    ['one that never started', false],
  ])('are in no line, be they known, named or cut off, of %s', async (_which, isConnected) => {
    const text = await callWith(
      {
        message: `before ${known} after`,
        inner: { password: typed, list: [`Bearer ${known}`] },
        text: `{"password":"${typed.slice(0, 20)}"}`,
        [`key ${known}`]: 1,
      },
      isConnected,
    );
    expect(text).toContain('"tool":"echo"');
    expect(text).toContain('before');
    expect(findSecrets({ text }, { known, typed })).toEqual([]);
  });

  it('are in no beginning of large ones', async () => {
    const text = await callWith({ a: known, password: typed, message: 'x'.repeat(50_000) });
    expect(text).toContain('xxxx');
    expect(findSecrets({ text }, { known, typed })).toEqual([]);
  });

  it('are in no line of a call that the end of its entry cut off', async () => {
    const core = await CoreHarness.create();
    try {
      await core.writeGlobal({ all: { ...everything, env: { API_TOKEN: known } } });
      const service = core.open(undefined, { callLog: { files, keepDays: () => 1 } });
      await service.whenStarted();
      const server = find(service, 'all');
      await server.ensureConnected();
      const args = { duration: 60, steps: 2, note: `before ${known} after` };
      const call = server.callTool('trigger-long-running-operation', args);
      await core.writeGlobal({});
      await expect(call).rejects.toThrow();
    } finally {
      await core.dispose();
    }
    const text = await written();
    expect(text).toContain('before');
    expect(findSecrets({ text }, { known })).toEqual([]);
  });

  it('would be found: another word is there as it is', async () => {
    const word = createSecret('word');
    const text = await callWith({ message: word });
    expect(findSecrets({ text }, { word })).not.toEqual([]);
  });
});

describe('a log of anybody’s making', () => {
  const good: CallRecord = {
    time: new Date(now).toISOString(),
    by: 'agent',
    server: 's',
    tool: 'kept',
    arguments: {},
    outcome: 'ok',
    ms: 1,
    size: 2,
  };
  const line = JSON.stringify(good);

  async function look(text: string) {
    await files.append(undefined, now, `${text}\n${line}\n`);
    return await files.read(all);
  }

  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  it.each([
    ['what is too deep', line.replace('{}', `{"a":${deep}}`)],
    ['a time of no calendar', line.replace(good.time, '+300000-01-01')],
    ['a time that is a number', line.replace(`"${good.time}"`, '1e300')],
    ['a duration below nothing', line.replace('"ms":1', '"ms":-1')],
    ['a duration without end', line.replace('"ms":1', '"ms":1e999')],
    ['prototypes', `{"__proto__":${line}}`],
    ['half a line', line.slice(0, 40)],
    ['a line without end', line.replace('kept', 'x'.repeat(1_000_000))],
    ['binary', '\u0000\u0001\uffff'],
  ])('loses %s, and nothing else', async (_what, hostile) => {
    const { calls, skipped } = await look(hostile);
    expect(calls).toMatchObject([{ tool: 'kept' }]);
    expect(skipped).toBe(1);
    expect(({} as { tool?: unknown }).tool).toBeUndefined();
  });

  it('with keys of prototypes in its arguments pollutes nothing, on any surface', async () => {
    const { calls } = await look(
      line.replace('{}', '{"__proto__":{"polluted":1},"constructor":2}'),
    );
    const model = new InspectorModel(callsAsRecording(calls));
    for (const { id } of model.rows) {
      model.details(id, undefined);
    }
    callsAsCsv(calls);
    callsAsJsonLines(calls);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('gives a page short texts, and can have nothing sent', async () => {
    const long = 'x'.repeat(100_000);
    const { calls } = await look(line.replace('"agent"', `"${long}"`));
    const model = new InspectorModel(callsAsRecording(calls));
    expect(JSON.stringify(model.rows).length).toBeLessThan(5_000);
    expect(model.replay(model.rows[0]?.id ?? 0, undefined)).toBeUndefined();
  });
});

describe('names', () => {
  const call = (tool: string) => ({
    folder: '/a/../../../b',
    server: tool,
    tool,
    args: {},
    maker: { by: 'gateway', name: tool } as const,
  });
  const end = { time: new Date(now).toISOString(), outcome: 'ok', ms: 1, size: 2 };

  it('with line ends and other directions stay in their line, and in the directory of the log', async () => {
    const tool = 'a\n{"time":"x"}\r\u2028\u202e';
    const text = callLine(call(tool), end, (one) => one);
    expect(text.split('\n')).toHaveLength(1);
    await files.append(call(tool).folder, now, `${text}\n`);
    expect(await readdir(directory)).toEqual(['calls']);
    const { calls, skipped } = await files.read({ ...all, folders: ['/a/../../../b'] });
    expect(calls).toMatchObject([{ tool, name: tool }]);
    expect(skipped).toBe(0);
    expect(
      callsAsJsonLines(calls)
        .trim()
        .split(/[\n\r\u2028\u202e]/),
    ).toHaveLength(1);
  });

  const formulas = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    ' =1',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
    '\u200b=1',
  ];
  it.each(formulas)('%j is calculated by no spreadsheet', (tool) => {
    const record = { ...end, by: tool, server: tool, tool, arguments: tool } as CallRecord;
    const [, ...rest] = callsAsCsv([record]).split('time,by,name,folder');
    const cells = rest.join('').match(/"(?:[^"]|"")*"/g) ?? [];
    const risky = cells.filter((cell) => /^"[\s\p{C}]*[=+\-@＝]/u.test(cell));
    expect(cells.length).toBeGreaterThan(8);
    expect(risky).toEqual([]);
  });

  it('that are plain stay as they are, and what ends a cell does not', () => {
    const record = { ...end, by: 'agent', server: 'a","=1', tool: 'plain-1', arguments: {} };
    const csv = callsAsCsv([record as CallRecord]);
    expect(csv).toContain('"plain-1"');
    expect(csv).toContain('"a"",""=1"');
  });
});

describe('a link in the place of a file', () => {
  it('is not written through', async () => {
    const canary = join(directory, 'canary');
    await writeFile(canary, 'mine');
    await files.append('/a', now, '{}\n');
    const [path = ''] = (await readdir(files.directory, { recursive: true })).filter((name) =>
      name.endsWith('.jsonl'),
    );
    const file = join(files.directory, path);
    await rm(file);
    await symlink(canary, file);
    await expect(files.append('/a', now, 'hostile\n')).rejects.toThrow();
    await files.prune(1, now + 1e10);
    expect(await readFile(canary, 'utf8')).toBe('mine');
  });

  it('is no reason not to write: a plain file takes the line', async () => {
    await files.append('/a', now, 'fine\n');
    expect(await written()).toBe('fine\n');
  });
});
