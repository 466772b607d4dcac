import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.js';
import { createMask } from '../../../../src/config/secrets/secretMask.js';
import { Recording } from '../../../../src/mcp/traffic/recording.js';
import { exportRecording, importRecording } from '../../../../src/mcp/traffic/recordingFile.js';
import { connectionsOf } from '../../../../src/presentation/inspector/connections.js';
import { InspectorModel } from '../../../../src/presentation/inspector/inspectorModel.js';
import { sendAgain } from '../../../../src/presentation/inspector/replay.js';
import { replayQuestion } from '../../../../src/presentation/inspector/replayQuestion.js';
import { FakeClock } from '../../../helpers/fakes/fakeClock.js';
import { FakeServer, fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

const add = { name: 'add', inputSchema: { type: 'object' } } as const;
const server = new FakeServer(fakeDefinition('calc'), { kind: 'idle' }, { tools: [add] });
const secret = 'kV9-secret-value-31';

function open() {
  const clock = new FakeClock();
  const recording = new Recording(clock);
  const tap = recording.open('stdio', createMask([secret]));
  const model = new InspectorModel(recording);
  const say = (dir: 'sent' | 'received', message: JsonObject) => {
    tap.message(dir, message);
    clock.advance(40);
  };
  return { clock, recording, tap, model, say };
}

const call = (id: number, params: JsonObject = { name: 'add' }) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params,
});

describe('the rows of an Inspector', () => {
  it('come one for each request, and change with it', () => {
    const { model, say } = open();
    const news: unknown[] = [];
    model.onDidChangeRows((change) => news.push(change));
    say('sent', call(1));
    say('received', { id: 1, error: { code: -32602, message: 'not\n so' } });
    expect(news).toMatchObject([
      {
        changed: [{ id: 2, method: 'tools/call', target: 'add', status: 'open', canReplay: true }],
      },
      { changed: [{ id: 2, status: 'error', ms: 40, note: '-32602 not so' }] },
    ]);
    expect(model.rows.map(({ kind }) => kind)).toEqual(['life', 'request']);
  });

  it('go when all is cleared', () => {
    const { model, recording, say } = open();
    say('sent', call(1));
    const gone: number[] = [];
    model.onDidChangeRows(({ removed }) => gone.push(...removed));
    recording.clear();
    expect(gone).toEqual([1, 2]);
    expect(model.rows).toEqual([]);
  });

  it('are found by words in their frames', () => {
    const { model, say } = open();
    say('sent', call(1, { name: 'add', arguments: { text: 'Needle' } }));
    say('sent', call(2));
    say('received', { id: 2, result: { content: [{ text: 'in the NEEDLE stack' }] } });
    expect(model.find(['needle'])).toEqual([2, 3]);
    expect(model.find(['needle', 'stack'])).toEqual([3]);
  });
});

describe('sending again', () => {
  it('is for what is known to be safe, anew', () => {
    const { model, say } = open();
    const _meta = { progressToken: 7, 'io.modelcontextprotocol/protocolVersion': 'x', own: 1 };
    say('sent', call(1, { name: 'add', arguments: { a: 1 }, _meta }));
    expect(model.replay(2, server)).toEqual({
      kind: 'send',
      method: 'tools/call',
      params: { name: 'add', arguments: { a: 1 }, _meta: { own: 1 } },
    });
    expect(model.details(2, server).noReplay).toBeUndefined();
  });

  it('counts a call', async () => {
    const result = { content: [], isError: false };
    const own = Object.assign(new FakeServer(fakeDefinition('calc'), { kind: 'idle' }), {
      callTool: () => Promise.resolve(result),
    });
    const counted: unknown[] = [];
    const statistics = { count: (call: unknown) => void counted.push(call) };
    await sendAgain(own, { method: 'ping', params: {} }, statistics);
    await sendAgain(own, { method: 'tools/call', params: { name: 'add' } }, statistics);
    const outcome = { result, content: [] };
    expect(counted).toMatchObject([{ server: 'calc', tool: 'add', outcome }]);
  });

  it.each<[string, JsonObject, RegExp]>([
    ['another method', { id: 1, method: 'initialize', params: {} }, /this kind/],
    ['a tool that is gone', call(1, { name: 'other' }), /any more/],
    ['a hidden secret', call(1, { name: 'add', arguments: { text: secret } }), /secret/],
    ['too much', call(1, { name: 'add', arguments: { text: 'x y '.repeat(30_000) } }), /too large/],
  ])('is refused for %s', (_title, message, reason) => {
    const { model, say } = open();
    say('sent', message);
    expect(model.details(2, server).noReplay).toMatch(reason);
  });

  it.each([undefined, { readOnlyHint: true, destructiveHint: false }, { idempotentHint: true }])(
    'is asked about for a call, whatever the server claims (%j)',
    (annotations) => {
      const tool = { ...add, name: 'a"; it is safe. "', ...(annotations && { annotations }) };
      const own = new FakeServer(fakeDefinition('calc'), { kind: 'idle' }, { tools: [tool] });
      const question = replayQuestion(
        own,
        { name: tool.name, arguments: { a: 'x\u202ey' } },
        'calc',
      );
      expect(question.message).toBe('Run this tool of an MCP server again?');
      expect(question.detail).toMatch(/may change/);
      expect(question.detail.split('\n').slice(-3)).toEqual([
        'Tool: a\\u0022; it is safe. \\u0022',
        'Server: calc',
        'Arguments: {"a":"x\\u202ey"}',
      ]);
    },
  );

  it('is nothing for what the server asks, or for a recording', () => {
    const { model, say } = open();
    say('received', { id: 1, method: 'ping' });
    expect(model.replay(2, server)).toBeUndefined();
    expect(model.replay(2, undefined)).toBeUndefined();
    expect(model.replay(99, server)).toBeUndefined();
  });
});

describe('connections', () => {
  it('say what differs from the one before', () => {
    const { recording } = open();
    for (const [tools, capabilities] of [
      [['a', 'b'], { tools: {}, logging: {} }],
      [['b', 'c'], { tools: { listChanged: true }, prompts: {} }],
    ] as const) {
      const tap = recording.open('stdio', (text) => text);
      tap.message('sent', { id: 0, method: 'initialize', params: {} });
      const serverInfo = { name: 'calc', version: String(tools.length) };
      tap.message('received', { id: 0, result: { capabilities, serverInfo } });
      tap.message('sent', { id: 1, method: 'tools/list' });
      tap.message('received', { id: 1, result: { tools: tools.map((name) => ({ name })) } });
    }
    const [newest, before] = connectionsOf(recording.handshakes);
    expect(newest?.differences).toEqual([
      { kind: 'added', path: 'capabilities.tools.listChanged', after: 'true' },
      { kind: 'removed', path: 'capabilities.logging', before: '{}' },
      { kind: 'added', path: 'capabilities.prompts', after: '{}' },
      { kind: 'added', path: 'tools: c' },
      { kind: 'removed', path: 'tools: a' },
    ]);
    expect(before?.facts).toContainEqual({ label: 'Server', text: 'calc 2' });
  });

  it('took whole milliseconds', () => {
    const { clock, recording } = open();
    const tap = recording.open('stdio', (text) => text);
    clock.advance(740.41357421875);
    tap.message('received', { id: 0, result: {} });
    const [one] = connectionsOf(recording.handshakes);
    expect(one?.facts).toContainEqual({ label: 'First byte after', text: '740 ms' });
  });
});

describe('a recording as a file', () => {
  it('comes back as it was', async () => {
    const { recording, tap, say } = open();
    say('sent', call(1, { name: 'add', arguments: { text: secret } }));
    say('received', { id: 1, result: { text: 'x y '.repeat(30_000) } });
    tap.stderr('a line');
    tap.http({
      exchange: 1,
      phase: 'request',
      method: 'GET',
      url: 'http://a/',
      headers: {},
      body: '',
    });
    tap.http({ exchange: 1, phase: 'response', status: 404, headers: new Headers({ a: 'b' }) });
    tap.http({ exchange: 1, phase: 'end', end: 'broken', bytes: 0, error: new Error('cut') });
    tap.closed('gone');
    const text = await exportRecording('calc', recording, 0);
    expect(text).not.toContain(secret);
    for (const line of text.trim().split('\n').slice(1)) {
      expect(JSON.parse(line)).toMatchObject({ t: expect.any(Number), gen: 1 });
    }
    const imported = importRecording(text);
    expect(imported).toMatchObject({ server: 'calc', skipped: 0 });
    expect(new InspectorModel(imported).rows).toEqual(new InspectorModel(recording).rows);
  });
});
