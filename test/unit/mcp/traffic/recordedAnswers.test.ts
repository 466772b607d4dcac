import { describe, expect, it } from 'vitest';
import { RecordedAnswers } from '../../../../src/mcp/traffic/recordedAnswers.js';
import { importRecording } from '../../../../src/mcp/traffic/recordingFile.js';

type Line = Readonly<Record<string, unknown>>;

class Lines {
  private readonly lines: Line[] = [{ piMcpRecording: 1, server: 'shop' }];
  private t = 0;
  private id = 0;

  /** The server has answered after 5 ms. */
  pair(method: string, params: unknown, answer: Line): this {
    const id = ++this.id;
    return this.add('sent', { id, method, params }).add('received', { id, ...answer });
  }

  add(dir: string, frame: Line): this {
    this.t += 5;
    this.lines.push({ t: this.t, gen: 1, dir, frame });
    return this;
  }

  line(line: Line): this {
    this.lines.push({ t: ++this.t, gen: 1, ...line });
    return this;
  }

  call(name: string, args: unknown, text: string): this {
    return this.pair('tools/call', { name, arguments: args }, { result: { text } });
  }

  open(): RecordedAnswers {
    const recording = importRecording(this.lines.map((line) => JSON.stringify(line)).join('\n'));
    return new RecordedAnswers(recording);
  }
}

function textIn(answers: RecordedAnswers, name: string, args?: unknown): unknown {
  const answer = answers.find('tools/call', { name, arguments: args });
  return answer?.kind === 'result' ? answer.result.text : answer?.kind;
}

it.each(['__proto__', 'constructor', 'toString'])(
  'a method called %s is one like others',
  (method) => {
    const begin = { life: { event: 'starting' } };
    const lines = new Lines().line(begin).pair(method, {}, { result: {} }).call('a', {}, 'one');
    expect(textIn(lines.open(), 'a', {})).toBe('one');
  },
);

describe('a call', () => {
  it('is answered as the same one was, whatever the order of its arguments', () => {
    const answers = new Lines().call('a', { x: 1, y: 2 }, 'one').call('a', { x: 3 }, 'two').open();
    expect(textIn(answers, 'a', { y: 2, x: 1 })).toBe('one');
    expect(textIn(answers, 'a', { x: 3 })).toBe('two');
  });

  it.each([
    ['another value', { x: 'b', list: [1, 2, 3] }, 'one'],
    ['another kind of value', { x: 1, list: [1] }, undefined],
    ['items of another kind', { x: 'b', list: ['1'] }, undefined],
    ['another argument', { x: 'b', list: [1], more: true }, undefined],
    ['no arguments', undefined, undefined],
  ])('with %s is answered where the shape is the same', (_what, args, text) => {
    const answers = new Lines().call('a', { x: 'a', list: [1] }, 'one').open();
    expect(textIn(answers, 'a', args)).toBe(text);
    expect(textIn(answers, 'b', args)).toBeUndefined();
  });

  it('without arguments is one with none', () => {
    const answers = new Lines().pair('tools/call', { name: 'a' }, { result: { text: '1' } }).open();
    expect(textIn(answers, 'a', {})).toBe('1');
  });

  it('that was made several times gets its answers in turn, then the last', () => {
    const answers = new Lines().call('a', {}, '1').call('b', {}, 'x').call('a', {}, '2').open();
    expect([1, 2, 3].map(() => textIn(answers, 'a', {}))).toEqual(['1', '2', '2']);
  });

  it('is the same one with another token of progress, and in another round', () => {
    const answers = new Lines().call('a', { x: 1 }, 'one').call('a', { x: 2 }, 'two').open();
    const params = { name: 'a', arguments: { x: 2 } };
    const own = { _meta: { progressToken: 9 }, task: {}, requestState: 's', inputResponses: {} };
    expect(answers.find('tools/call', { ...params, ...own })).toMatchObject({
      kind: 'result',
      result: { text: 'two' },
    });
  });

  it('has the time that it took, and the error that it was answered with', () => {
    const error = { code: -32602, message: 'no', data: { why: 1 } };
    const answers = new Lines().pair('tools/call', { name: 'a' }, { error }).open();
    expect(answers.find('tools/call', { name: 'a' })).toEqual({ kind: 'error', error, ms: 5 });
  });

  it('has its last answer where the server asked for more first', () => {
    const params = { name: 'a', arguments: { x: 1 } };
    const asks = { resultType: 'input_required', requestState: 's', inputRequests: { city: {} } };
    const again = { ...params, requestState: 's', inputResponses: { city: {} } };
    const answers = new Lines()
      .pair('tools/call', params, { result: asks })
      .pair('tools/call', again, { result: { text: 'done' } })
      .open();
    expect(textIn(answers, 'a', { x: 1 })).toBe('done');
  });

  it.each([
    ['asked for', 'tasks/result', { text: 'done' }],
    [
      'told with its state',
      'tasks/get',
      { taskId: 't', status: 'completed', result: { text: 'done' } },
    ],
  ])('has the result of its task that was %s', (_what, method, result) => {
    const task = { resultType: 'task', taskId: 't', status: 'working' };
    const answers = new Lines()
      .pair('tools/call', { name: 'a' }, { result: task })
      .pair('tasks/get', { taskId: 't' }, { result: { taskId: 't', status: 'working' } })
      .pair(method, { taskId: 't' }, { result })
      .open();
    expect(textIn(answers, 'a')).toBe('done');
  });

  it('has no answer in our own words, and none that never came', () => {
    const lines = new Lines().add('sent', { id: 90, method: 'tools/call', params: { name: 'a' } });
    lines.add('local', { id: 90, error: { code: 1, message: 'It ended' } });
    expect(textIn(lines.open(), 'a')).toBeUndefined();
  });

  it('has an answer whole that is longer than what is shown of one', () => {
    const text = 'x'.repeat(200_000);
    expect(textIn(new Lines().call('a', {}, text).open(), 'a')).toBe(text);
  });

  it('says of an answer that was cut that it is one', () => {
    const lines = new Lines().add('sent', { id: 90, method: 'tools/call', params: { name: 'a' } });
    const answers = lines.line({ dir: 'received', size: 90_000, id: 90, head: '{"res' }).open();
    expect(textIn(answers, 'a')).toBe('cut');
  });
});

describe('other requests', () => {
  it('are answered as the same ones were, and no others', () => {
    const answers = new Lines()
      .pair('resources/read', { uri: 'a://1' }, { result: { contents: [] } })
      .pair('prompts/get', { name: 'p', arguments: { city: 'Oslo' } }, { result: { messages: [] } })
      .pair('own/thing', { x: 1 }, { result: { own: true } })
      .open();
    expect(answers.find('resources/read', { uri: 'a://1' })?.kind).toBe('result');
    expect(answers.find('resources/read', { uri: 'a://2' })).toBeUndefined();
    expect(answers.find('prompts/get', { name: 'p', arguments: { city: 'Rom' } })).toBeDefined();
    expect(answers.find('own/thing', { x: 1 })).toBeDefined();
    expect(answers.find('own/thing', { x: 2 })).toBeUndefined();
    expect(['own/thing', 'other/thing'].map((method) => answers.has(method))).toEqual([
      true,
      false,
    ]);
  });

  it('list what was listed last, page by page', () => {
    const page = (name: string, nextCursor = '') => ({ result: { tools: [name], nextCursor } });
    const answers = new Lines()
      .pair('tools/list', {}, page('old'))
      .pair('tools/list', {}, page('a', 'c'))
      .pair('tools/list', { cursor: 'c' }, page('b'))
      .open();
    for (const _again of [1, 2]) {
      expect(answers.find('tools/list', {})).toMatchObject(page('a', 'c'));
      expect(answers.find('tools/list', { cursor: 'c' })).toMatchObject(page('b'));
    }
  });

  it('that want news are taken where the server took them', () => {
    const capabilities = { resources: { subscribe: true }, logging: {} };
    const serverInfo = { name: 's', version: '1' };
    const answers = new Lines()
      .line({ life: { event: 'starting', launch: 'stdio' } })
      .pair('initialize', {}, { result: { serverInfo, capabilities } })
      .open();
    const nothing = { kind: 'result', result: {}, ms: 0 };
    expect(answers.find('resources/subscribe', { uri: 'x' })).toEqual(nothing);
    expect(answers.find('logging/setLevel', { level: 'info' })).toEqual(nothing);
    expect(new Lines().open().find('logging/setLevel', { level: 'info' })).toBeUndefined();
  });
});

describe('the server', () => {
  it('introduces itself as it did last', () => {
    const start = { life: { event: 'starting', launch: 'stdio' } };
    const said = (version: string, capabilities: unknown) => ({
      result: {
        protocolVersion: '1999-01-01',
        serverInfo: { name: 'shop', title: 'Shop', version },
        capabilities,
        instructions: 'Ask first.',
      },
    });
    const answers = new Lines()
      .line(start)
      .pair('initialize', {}, said('1', { tools: {} }))
      .line(start)
      .pair('initialize', {}, said('2', { tools: { listChanged: true }, prompts: 1, evil: {} }))
      .open();
    expect(answers.server).toEqual({
      serverInfo: { name: 'shop', title: 'Shop', version: '2' },
      capabilities: { tools: { listChanged: true } },
      instructions: 'Ask first.',
    });
    expect(
      ['tools/list', 'tools/call', 'prompts/list', 'initialize', 'ping'].map((method) =>
        answers.has(method),
      ),
    ).toEqual([true, true, false, false, false]);
  });

  it('that did not is described by what it was asked', () => {
    expect(new Lines().call('a', {}, '1').open().server).toEqual({
      serverInfo: { name: 'shop', version: '0' },
      capabilities: { tools: {} },
      instructions: undefined,
    });
  });
});
