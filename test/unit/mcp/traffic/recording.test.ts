import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.js';
import { createMask } from '../../../../src/config/secrets/secretMask.js';
import { Recording } from '../../../../src/mcp/traffic/recording.js';
import type { RawRecord } from '../../../../src/mcp/traffic/storedForm.js';
import { maxRecords, WaitingRecords } from '../../../../src/mcp/traffic/waitingRecords.js';
import type { FrameRecord, TrafficRecord } from '../../../../src/mcp/trafficTypes.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';

const secret = 'kV9-secret-value-31';

function record() {
  const clock = new FakeClock();
  const recording = new Recording(clock);
  const tap = recording.open('stdio', createMask([secret]));
  return { clock, recording, tap };
}

const frames = (records: readonly TrafficRecord[]): readonly FrameRecord[] =>
  records.filter((one) => one.kind === 'frame');
const call = (id: number, args: JsonObject = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'add', arguments: args },
});

describe('what is kept', () => {
  it('has no secrets, wherever they stand', () => {
    const { recording, tap } = record();
    tap.message('sent', call(1, { text: `with ${secret}`, password: 'hunter2', [secret]: 1 }));
    tap.stderr(`token ${secret}`);
    tap.http({
      exchange: 1,
      phase: 'request',
      method: 'POST',
      url: `https://host/mcp?token=abcdef123456&x=${secret}`,
      headers: {
        Authorization: 'Bearer some-token',
        Cookie: 'a=b',
        'Mcp-Session-Id': '0123456789abcdef',
        'X-Own': `v ${secret}`,
        Accept: 'text/html',
      },
      body: JSON.stringify(call(1)),
    });
    const text = JSON.stringify(recording.records);
    for (const hidden of [secret, 'hunter2', 'some-token', 'a=b', '89abcdef', 'abcdef123456']) {
      expect(text).not.toContain(hidden);
    }
    const [frame] = frames(recording.records);
    expect(JSON.parse(frame?.text ?? '')).toMatchObject({ id: 1, params: { name: 'add' } });
    expect(recording.records.at(-1)).toMatchObject({
      rpcId: 1,
      headers: expect.arrayContaining([
        ['accept', 'text/html'],
        ['mcp-session-id', '01234567…'],
      ]),
    });
  });

  it('is numbered and in order, over connections', () => {
    const { recording, tap } = record();
    tap.message('sent', call(1));
    tap.closed('gone');
    const next = recording.open('stdio', createMask([]));
    next.message('sent', call(1));
    next.connected({ transport: 'stdio', pid: 5 });
    expect(recording.records.map(({ seq, gen, kind }) => [seq, gen, kind])).toEqual([
      [1, 1, 'life'],
      [2, 1, 'frame'],
      [3, 1, 'life'],
      [4, 2, 'life'],
      [5, 2, 'frame'],
      [6, 2, 'life'],
    ]);
  });

  it('is the last 2,000 records', () => {
    const { recording, tap } = record();
    for (let id = 1; id <= 5_000; id++) {
      tap.message('sent', call(id));
    }
    const { records } = recording;
    expect(records.length).toBe(maxRecords);
    expect(frames(records).at(-1)?.facts.id).toBe(5_000);
  });

  it('is 8 MB at most', () => {
    const { recording, tap } = record();
    const text = 'some words '.repeat(5_000);
    for (let id = 1; id <= 300; id++) {
      tap.message('sent', call(id, { text }));
    }
    const kept = recording.records.map((one) => ('text' in one ? one.text.length : 0));
    const sum = kept.reduce((all, one) => all + one, 0);
    expect(sum).toBeLessThan(8 * 1024 * 1024);
    expect(sum).toBeGreaterThan(7 * 1024 * 1024);
  });

  it('is of a large frame its beginning, and the whole in a file while somebody looks', async () => {
    const { recording, tap } = record();
    const text = `${'some words '.repeat(9_000)}${secret}`;
    tap.message('received', { id: 1, result: { text } });
    const [unseen] = frames(recording.records);
    expect(unseen).toMatchObject({ isCut: true, facts: { id: 1 } });
    expect(unseen?.size).toBeGreaterThan(90_000);
    expect(unseen?.text.length).toBeLessThan(20_000);
    expect(await recording.readWhole(unseen?.seq ?? 0)).toBeUndefined();
    recording.watch();
    tap.message('received', { id: 2, result: { text } });
    const seen = frames(recording.records)[1];
    const whole = await recording.readWhole(seen?.seq ?? 0);
    expect(whole?.length).toBeGreaterThan(90_000);
    expect(whole).not.toContain(secret);
    await recording.dispose();
    expect(await recording.readWhole(seen?.seq ?? 0)).toBeUndefined();
  });
});

describe('while nobody looks', () => {
  it('holds what the wire has at hand, and looks into nothing', () => {
    const { recording, tap } = record();
    tap.connected({ transport: 'stdio', pid: 1 });
    const touched: PropertyKey[] = [];
    const untouched = new Proxy<JsonObject>(
      {},
      {
        get: (_, key) => void touched.push(key),
        has: (_, key) => touched.push(key) < 0,
        ownKeys: () => [],
      },
    );
    const text = JSON.stringify(call(1, { text: secret }));
    tap.message('sent', untouched, text);
    expect(touched).toEqual([]);
    const [frame] = frames(recording.records);
    expect(frame).toMatchObject({ size: text.length, facts: { id: 1, target: 'add' } });
    expect(frame?.text).not.toContain(secret);
  });

  it('has of a recording with and without texts the same', () => {
    const messages = [
      call(1, { text: `with ${secret}`, password: 'hunter2' }),
      { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'x'.repeat(90_000) }] } },
      { jsonrpc: '2.0', id: 2, error: { code: -32_000, message: secret } },
    ];
    const [held, written] = [false, true].map((isWritten) => {
      const { recording, tap } = record();
      for (const message of messages) {
        tap.message('received', message, isWritten ? JSON.stringify(message) : undefined);
      }
      return recording.records;
    });
    expect(written).toEqual(held);
    expect(frames(written ?? [])).toHaveLength(3);
  });

  it('waits for quiet before it masks, but not for ever', () => {
    const { clock, recording, tap } = record();
    let news = 0;
    recording.onDidChange(() => news++);
    for (let ms = 0; ms < 20_000; ms += 500) {
      tap.message('sent', call(ms));
      clock.advance(500);
    }
    expect(news).toBe(0);
    clock.advance(1_000);
    clock.advance(1_000);
    expect(news).toBe(1);
    for (let ms = 0; ms < 40_000; ms += 500) {
      tap.message('sent', call(ms));
      clock.advance(500);
    }
    expect(news).toBe(2);
  });

  it('masks much of it in turns, and has all of it for who looks meanwhile', () => {
    const { clock, recording, tap } = record();
    const turns: number[] = [];
    recording.onDidChange(({ added }) => turns.push(added.length));
    for (let id = 1; id <= 1_500; id++) {
      tap.message('sent', call(id));
    }
    clock.advance(1_000);
    clock.advance(1_000);
    expect(turns).toEqual([100]);
    tap.message('sent', call(1_501));
    clock.advance(0);
    expect(turns).toEqual([100, 100]);
    const kept = frames(recording.records);
    expect(kept.map(({ facts }) => facts.id)).toEqual(
      Array.from({ length: 1_501 }, (_, index) => index + 1),
    );
    expect(turns).toEqual([100, 100, 1_302]);
    clock.advance(60_000);
    expect(turns).toHaveLength(3);
  });

  it('takes a turn for each message that is large', () => {
    const { clock, recording, tap } = record();
    const turns: number[] = [];
    recording.onDidChange(({ added }) => turns.push(added.length));
    for (let id = 1; id <= 3; id++) {
      tap.message('received', { id, result: { text: 'x'.repeat(300_000) } });
    }
    clock.advance(1_000);
    clock.advance(1_000);
    clock.advance(0);
    clock.advance(0);
    clock.advance(0);
    // the first of them with the beginning of the connection
    expect(turns).toEqual([2, 1, 1]);
  });

  it('lets go of large messages soon', () => {
    const { clock, recording, tap } = record();
    let news = 0;
    recording.onDidChange(() => news++);
    const text = 'x'.repeat(100_000);
    for (let id = 0; id < 4; id++) {
      tap.message('received', { id, result: { text } });
    }
    clock.advance(0);
    expect(news).toBe(1);
  });

  it('keeps the handshake of a connection that says more than fits', () => {
    const { recording, tap } = record();
    tap.message('sent', { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
    tap.message('received', { id: 0, result: { serverInfo: { name: 's' }, capabilities: {} } });
    for (let id = 1; id <= 9_000; id++) {
      tap.message('sent', call(id));
    }
    expect(recording.handshakes[0]?.response).toContain('"name":"s"');
  });
});

describe('while somebody looks', () => {
  it('tells at once what came, and of what went', () => {
    const { clock, recording, tap } = record();
    const watch = recording.watch();
    const news: unknown[] = [];
    recording.onDidChange(({ added, firstSeq }) => news.push([added.length, firstSeq]));
    tap.message('sent', call(1));
    tap.message('sent', call(2));
    clock.advance(40);
    expect(news).toEqual([[2, 1]]);
    recording.clear();
    expect(news.at(-1)).toEqual([0, 4]);
    expect(recording.records).toEqual([]);
    watch.dispose();
  });
});

describe('handshakes', () => {
  it('say what a server offered on each connection', () => {
    const { recording } = record();
    for (const names of [['a'], ['a', 'b']]) {
      const tap = recording.open('stdio', (text) => text);
      tap.message('sent', { id: 0, method: 'initialize', params: {} });
      tap.message('received', { id: 0, result: { capabilities: { tools: {} } } });
      tap.message('sent', { id: 1, method: 'tools/list', params: {} });
      tap.message('received', { id: 1, result: { tools: [{ name: names[0] }], nextCursor: 'n' } });
      tap.message('sent', { id: 2, method: 'tools/list', params: { cursor: 'n' } });
      tap.message('received', {
        id: 2,
        result: { tools: names.slice(1).map((name) => ({ name })) },
      });
      tap.connected({ transport: 'stdio', pid: 1 });
    }
    expect(recording.handshakes).toMatchObject([
      { gen: 1 },
      { gen: 2, lists: { tools: ['a'] }, transport: 'stdio' },
      { gen: 3, lists: { tools: ['a', 'b'] } },
    ]);
  });

  it('are the last 20', () => {
    const { recording } = record();
    for (let count = 0; count < 30; count++) {
      recording.open('http', (text) => text).closed('refused');
    }
    expect(recording.handshakes.map(({ gen }) => gen)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 12),
    );
  });
});

describe('what waits', () => {
  const raw = (seq: number): RawRecord => ({
    kind: 'frame',
    seq,
    t: 0,
    gen: 1,
    mask: (text) => text,
    dir: 'sent',
    held: '{}',
  });

  it('is the ring twice at most, by number and by length', () => {
    for (const [length, most] of [
      [100, 2 * maxRecords],
      [64 * 1024, 256],
    ] as const) {
      const waiting = new WaitingRecords();
      for (let seq = 1; seq <= 9_999; seq++) {
        waiting.add(raw(seq), length);
        expect(waiting.count).toBeLessThanOrEqual(most);
      }
      expect(waiting.takeAll().at(-1)?.seq).toBe(9_999);
      expect(waiting.count).toBe(0);
    }
  });

  it('has what is kept once, in front of the rest', () => {
    const waiting = new WaitingRecords();
    for (let seq = 1; seq <= 9_999; seq++) {
      if (seq < 10 || seq > 9_990) {
        waiting.addKept(raw(seq));
      } else {
        waiting.add(raw(seq), 10);
      }
    }
    const seqs = waiting.takeAll().map(({ seq }) => seq);
    expect(seqs.slice(0, 10)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 8_000]);
    expect(seqs).toHaveLength(9 + maxRecords);
    expect(new Set(seqs).size).toBe(seqs.length);
  });
});
