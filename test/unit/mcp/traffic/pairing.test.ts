import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.js';
import type { RequestEntry, TrafficEntry } from '../../../../src/mcp/traffic/entries.js';
import { frameFacts } from '../../../../src/mcp/traffic/frameFacts.js';
import { Pairing } from '../../../../src/mcp/traffic/pairing.js';
import type { LifeRecord, TrafficDirection } from '../../../../src/mcp/trafficTypes.js';
import { SeededRandom } from '../../../helpers/seededRandom.js';

const same = (text: string) => text;

/** Writes down what passes, a millisecond apart. */
class Wire {
  readonly pairing = new Pairing();
  seq = 0;
  gen = 1;

  frame(dir: TrafficDirection, message: JsonObject): number {
    const seq = ++this.seq;
    const text = JSON.stringify(message);
    const facts = frameFacts(message, same);
    const frame = { kind: 'frame', dir, text, size: text.length, isCut: false, facts } as const;
    this.pairing.add({ seq, t: seq, gen: this.gen, ...frame });
    return seq;
  }

  sent = (message: JsonObject) => this.frame('sent', message);
  received = (message: JsonObject) => this.frame('received', message);

  life(event: 'starting' | 'closed'): void {
    const record = { kind: 'life', seq: ++this.seq, t: this.seq, gen: this.gen, event };
    this.pairing.add(record as unknown as LifeRecord);
  }

  http(exchange: number, step: object): void {
    const head = { kind: 'http', seq: ++this.seq, t: this.seq, gen: this.gen, exchange };
    this.pairing.add({ ...head, ...step } as never);
  }

  get requests(): readonly RequestEntry[] {
    return this.pairing.entries.filter((entry) => entry.kind === 'request');
  }

  get kinds(): readonly TrafficEntry['kind'][] {
    return this.pairing.entries.map(({ kind }) => kind);
  }
}

const call = (id: unknown, more: JsonObject = {}) => ({
  id,
  method: 'tools/call',
  params: { name: 'add', ...more },
});
const answer = (id: unknown, result: JsonObject = { content: [] }) => ({ id, result });

describe('a request and its response', () => {
  it('are one entry, whatever comes between them', () => {
    const wire = new Wire();
    wire.sent(call(1));
    wire.sent(call(2));
    wire.received(answer(2));
    wire.received({ id: 1, error: { code: -32602, message: 'no' } });
    expect(wire.requests).toMatchObject([
      { target: 'add', state: 'error', error: { code: -32602, message: 'no' }, records: [1, 4] },
      { state: 'ok', startedAt: 2, endedAt: 3, records: [2, 3] },
    ]);
  });

  it('are told apart by who asked, when both sides use the same id', () => {
    const wire = new Wire();
    wire.sent(call(7));
    wire.received({ id: 7, method: 'elicitation/create', params: { message: 'who?' } });
    wire.sent(answer(7, { action: 'accept' }));
    wire.received(answer(7));
    expect(wire.requests).toMatchObject([
      { dir: 'sent', method: 'tools/call', records: [1, 4], state: 'ok' },
      { dir: 'received', method: 'elicitation/create', records: [2, 3], state: 'ok' },
    ]);
  });

  it('are paired when a server sends a number back as text, but 1 and "1" are two ids', () => {
    const wire = new Wire();
    wire.sent(call(1));
    wire.sent(call('1'));
    wire.received(answer('1'));
    wire.received(answer(1));
    wire.sent(call(5));
    wire.received(answer('5'));
    expect(wire.requests.map(({ records }) => records)).toEqual([
      [1, 4],
      [2, 3],
      [5, 6],
    ]);
  });

  it('show a tool that says that it failed', () => {
    const wire = new Wire();
    wire.sent(call(1));
    wire.received(answer(1, { isError: true, content: [] }));
    expect(wire.requests).toMatchObject([{ state: 'error', error: undefined }]);
  });

  it('of nobody is a stray, also when it comes twice', () => {
    const wire = new Wire();
    wire.received(answer(9));
    wire.sent(call(1));
    wire.received(answer(1));
    wire.received(answer(1));
    wire.received({ result: {} });
    expect(wire.kinds).toEqual(['stray', 'request', 'stray', 'stray']);
  });

  it('ends with our own words when the server can no longer answer', () => {
    const wire = new Wire();
    wire.sent(call(1));
    wire.frame('local', { id: 1, error: { code: -32603, message: 'The stream ended' } });
    expect(wire.requests).toMatchObject([
      { state: 'error', error: { message: 'The stream ended' } },
    ]);
  });
});

describe('an answer that cannot be taken', () => {
  it('is no success, and stays what it was otherwise', () => {
    const wire = new Wire();
    for (const id of [1, 2]) {
      wire.sent(call(id));
    }
    wire.received(answer(1));
    wire.received({ id: 2, error: { code: -32602, message: 'no' } });
    for (const id of [1, 2]) {
      wire.frame('local', { id, error: { code: -32603, message: `fault ${id}` } });
      wire.frame('local', { id, error: { code: -32603, message: 'another' } });
    }
    expect(wire.requests).toMatchObject([
      { state: 'faulty', error: undefined, fault: 'fault 1', records: [1, 3, 5, 6], endedAt: 3 },
      { state: 'error', error: { message: 'no' }, fault: 'fault 2' },
    ]);
    expect(wire.kinds).toEqual(['request', 'request']);
  });
});

describe('a request without a response', () => {
  it('is lost with its connection; the next one may use its id', () => {
    const wire = new Wire();
    wire.sent(call(1));
    wire.life('closed');
    wire.gen = 2;
    wire.life('starting');
    wire.sent(call(1));
    wire.received(answer(1));
    expect(wire.requests).toMatchObject([
      { gen: 1, state: 'lost', records: [1] },
      { gen: 2, state: 'ok', records: [4, 5] },
    ]);
  });

  it('is not answered by a later connection', () => {
    const wire = new Wire();
    wire.sent(call(1));
    wire.gen = 2;
    wire.received(answer(1));
    expect(wire.kinds).toEqual(['request', 'stray']);
    wire.life('starting');
    expect(wire.requests).toMatchObject([{ state: 'lost' }]);
  });

  it('is lost when its id is used again', () => {
    const wire = new Wire();
    wire.sent(call(1));
    wire.sent(call(1));
    wire.received(answer(1));
    expect(wire.requests.map(({ state }) => state)).toEqual(['lost', 'ok']);
  });

  it('is cancelled by who asked, and a late answer belongs to it', () => {
    const wire = new Wire();
    wire.sent(call(3));
    wire.received({ method: 'notifications/cancelled', params: { requestId: 3 } });
    expect(wire.requests).toMatchObject([{ state: 'open' }]);
    wire.sent({ method: 'notifications/cancelled', params: { requestId: 3 } });
    wire.received(answer(3));
    expect(wire.requests).toMatchObject([{ state: 'cancelled', endedAt: 3, records: [1, 3, 4] }]);
  });

  it('is cancelled by the end of the exchange that carries it', () => {
    const wire = new Wire();
    wire.http(1, { phase: 'request', method: 'POST', url: 'http://a/', headers: [], rpcId: 4 });
    wire.sent(call(4));
    wire.http(1, { phase: 'response', status: 200, headers: [] });
    wire.http(1, { phase: 'end', end: 'cancelled', bytes: 3 });
    expect(wire.pairing.entries).toMatchObject([
      { kind: 'http', status: 200, end: 'cancelled', records: [1, 3, 4] },
      { kind: 'request', state: 'cancelled' },
    ]);
  });
});

describe('one entry', () => {
  it('holds the progress of a request, of its sender alone', () => {
    const wire = new Wire();
    const progress = {
      method: 'notifications/progress',
      params: { progressToken: 5, progress: 1 },
    };
    wire.sent(call(5, { _meta: { progressToken: 5 } }));
    wire.sent(progress);
    wire.received({ ...progress, params: { ...progress.params, total: 3, message: 'half' } });
    wire.received(answer(5));
    expect(wire.pairing.entries).toMatchObject([
      { kind: 'request', progress: '1/3 half', records: [1, 3, 4] },
      { kind: 'notification', dir: 'sent', records: [2] },
    ]);
  });

  it('holds a task of the older generation, over connections, to its result', () => {
    const wire = new Wire();
    wire.sent(call(1, { task: { ttl: 1 } }));
    wire.received(answer(1, { task: { taskId: 't', status: 'working' } }));
    wire.received({
      method: 'notifications/tasks/status',
      params: { taskId: 't', status: 'working' },
    });
    wire.life('closed');
    expect(wire.requests).toMatchObject([{ state: 'open', task: { id: 't', status: 'working' } }]);
    wire.gen = 2;
    wire.life('starting');
    wire.sent({ id: 1, method: 'tasks/get', params: { taskId: 't' } });
    wire.received(answer(1, { taskId: 't', status: 'completed' }));
    wire.sent({ id: 2, method: 'tasks/result', params: { taskId: 't' } });
    wire.received(answer(2, { content: [], isError: true }));
    expect(wire.requests).toMatchObject([
      { state: 'error', task: { status: 'completed' }, records: [1, 2, 3, 6, 7, 8, 9] },
    ]);
    wire.sent({ id: 3, method: 'tasks/get', params: { taskId: 'other' } });
    expect(wire.requests).toHaveLength(2);
  });

  it('holds a task of the newer generation', () => {
    const wire = new Wire();
    wire.sent(call(1));
    wire.received(answer(1, { resultType: 'task', taskId: 't', status: 'working' }));
    wire.received({ method: 'notifications/tasks', params: { taskId: 't', status: 'cancelled' } });
    expect(wire.requests).toMatchObject([{ state: 'cancelled', records: [1, 2, 3] }]);
  });

  it('holds the rounds in which a server asks for more', () => {
    const wire = new Wire();
    const asks = (requestState: string) => ({
      resultType: 'input_required',
      inputRequests: { name: { method: 'elicitation/create' } },
      requestState,
    });
    wire.sent(call(1));
    wire.sent(call(2));
    wire.received(answer(1, asks('one')));
    wire.received(answer(2, asks('two')));
    wire.sent(call(3, { requestState: 'two', inputResponses: { name: {} } }));
    wire.received(answer(3, asks('three')));
    wire.sent(call(4, { requestState: 'three', inputResponses: { name: {} } }));
    wire.sent(call(5, { requestState: 'one', inputResponses: { name: {} } }));
    wire.received(answer(5));
    wire.received(answer(4));
    expect(wire.requests).toMatchObject([
      { rounds: 1, state: 'ok', records: [1, 3, 8, 9] },
      { rounds: 2, state: 'ok', records: [2, 4, 5, 6, 7, 10] },
    ]);
    wire.sent(call(6, { requestState: 'foreign', inputResponses: { name: {} } }));
    expect(wire.requests).toHaveLength(3);
  });

  it('holds the end of what the user does on a page', () => {
    const wire = new Wire();
    const params = { mode: 'url', elicitationId: 'e', message: 'sign in' };
    wire.received({ id: 0, method: 'elicitation/create', params });
    wire.sent(answer(0, { action: 'accept' }));
    wire.received({ method: 'notifications/elicitation/complete', params: { elicitationId: 'e' } });
    wire.sent(call(1));
    const data = { elicitations: [{ elicitationId: 'f' }] };
    wire.received({ id: 1, error: { code: -32042, message: 'first', data } });
    wire.received({ method: 'notifications/elicitation/complete', params: { elicitationId: 'f' } });
    expect(wire.requests.map(({ records }) => records)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });
});

describe('news', () => {
  it('is what came, changed and went since the last time', () => {
    const wire = new Wire();
    wire.sent(call(1));
    wire.sent({ method: 'notifications/initialized' });
    expect(wire.pairing.takeChange().changed.map(({ id }) => id)).toEqual([1, 2]);
    wire.received(answer(1));
    expect(wire.pairing.takeChange()).toMatchObject({ changed: [{ id: 1 }], removed: [] });
    wire.pairing.forgetBefore(3);
    // its response is still there
    expect(wire.pairing.takeChange()).toEqual({ changed: [], removed: [2] });
    wire.pairing.forgetBefore(4);
    expect(wire.pairing.takeChange().removed).toEqual([1]);
    wire.received(answer(1));
    expect(wire.kinds).toEqual(['stray']);
  });
});

describe('any traffic', () => {
  const ids = [0, 1, '1', 'a', -1, 1.5];
  const methods = ['tools/call', 'ping', 'tasks/get', 'tasks/result', 'elicitation/create'];
  const notifications = ['progress', 'cancelled', 'tasks/status', 'message'];

  function message(random: SeededRandom): JsonObject {
    const params = {
      name: random.pick(['x', 'y']),
      _meta: { progressToken: random.pick(ids) },
      taskId: random.pick(['t', 'u']),
      ...(random.chance(3) ? { requestState: random.pick(['s', 'r']) } : {}),
      requestId: random.pick(ids),
      progressToken: random.pick(ids),
      status: random.pick(['working', 'completed', 'odd']),
    };
    const result = random.pick<JsonObject>([
      {},
      { resultType: 'input_required', requestState: random.pick(['s', 'r']) },
      { task: { taskId: random.pick(['t', 'u']), status: 'working' } },
      { taskId: 't', status: 'completed' },
      { isError: true },
    ]);
    switch (random.below(4)) {
      case 0:
        return { id: random.pick(ids), method: random.pick(methods), params };
      case 1:
        return { method: `notifications/${random.pick(notifications)}`, params };
      case 2:
        return { id: random.pick(ids), error: { code: 1, message: 'no' } };
      default:
        return { id: random.pick(ids), result };
    }
  }

  it.each([3, 17, 4242])('has each record in at most one entry (seed %i)', (seed) => {
    const random = new SeededRandom(seed);
    const wire = new Wire();
    for (let count = 0; count < 3_000; count++) {
      if (random.chance(200)) {
        wire.life('closed');
        wire.gen++;
        wire.life('starting');
      }
      wire.frame(random.pick(['sent', 'received', 'local']), message(random));
      if (random.chance(100)) {
        wire.pairing.forgetBefore(wire.seq - 400);
      }
    }
    wire.life('closed');
    const { entries } = wire.pairing;
    const all = entries.flatMap(({ records }) => records);
    expect(new Set(all).size).toBe(all.length);
    for (const entry of entries) {
      expect(entry.records).toEqual([...entry.records].sort((a, b) => a - b));
      expect(entry.id).toBe(entry.records[0]);
      if (entry.kind === 'request') {
        expect(entry.endedAt ?? entry.startedAt).toBeGreaterThanOrEqual(entry.startedAt);
        expect(entry.state === 'open').toBe(entry.endedAt === undefined);
        // what is open with its connection gone is a task
        expect(entry.state !== 'open' || entry.task !== undefined).toBe(true);
      }
    }
    wire.pairing.forgetBefore(wire.seq + 1);
    expect(wire.pairing.entries).toEqual([]);
  });
});
