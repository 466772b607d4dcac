import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../../src/base/json.js';
import { LineFramer } from '../../../../../src/mcp/connection/stdio/lineFramer.js';

function frame(chunks: readonly (string | Buffer)[], maxLineBytes?: number) {
  const messages: JsonObject[] = [];
  const notices: string[] = [];
  const framer = new LineFramer(
    {
      onMessage: (message) => void messages.push(message),
      onNotice: (level, message) => void notices.push(`${level}: ${message}`),
    },
    maxLineBytes,
  );
  for (const chunk of chunks) {
    framer.push(Buffer.from(chunk));
  }
  framer.end();
  return { messages, notices };
}

const one = { jsonrpc: '2.0', id: 1, result: { text: 'naïve — 日本 }{"' } };
const two = { jsonrpc: '2.0', method: 'notifications/x' };

it('gives the same messages however the bytes are split', () => {
  const bytes = Buffer.from(`${JSON.stringify(one)}\r\n\n${JSON.stringify(two)}\n`);
  for (let size = 1; size <= bytes.length; size++) {
    const chunks: Buffer[] = [];
    for (let start = 0; start < bytes.length; start += size) {
      chunks.push(bytes.subarray(start, start + size));
    }
    expect(frame(chunks)).toEqual({ messages: [one, two], notices: [] });
  }
});

it('reads the members of a batch and a last line without newline', () => {
  expect(frame([JSON.stringify([one, two])]).messages).toEqual([one, two]);
});

it.each([
  ['text before', `Loading… ${JSON.stringify(one)}\n`, [one]],
  ['text with braces before', `{"a":1} {x} ${JSON.stringify(one)}\n`, [one]],
  ['text after', `${JSON.stringify(one)} done\n`, [one]],
  ['two without newline', `${JSON.stringify(one)}${JSON.stringify(two)}\n`, [one, two]],
  [
    'keys in another order',
    'log: {"result":{},"jsonrpc":"2.0","id":4}\n',
    [{ result: {}, jsonrpc: '2.0', id: 4 }],
  ],
])('saves messages from a line with %s', (_name, line, expected) => {
  const { messages, notices } = frame([line]);
  expect(messages).toEqual(expected);
  expect(notices).toHaveLength(1);
});

it.each(['null', '42', '"text"', '{"not":"rpc"}', 'plain text', '{"jsonrpc":"2.0",'])(
  'passes nothing on for %s',
  (line) => {
    const { messages, notices } = frame([`${line}\n`]);
    expect(messages).toEqual([]);
    expect(notices).toHaveLength(1);
  },
);

it('reports a thousand foreign lines with a handful of notices', () => {
  const { notices } = frame(['text\n'.repeat(1000)]);
  expect(notices.length).toBeLessThan(15);
  expect(notices[0]).toMatch(/^warn: /);
});

it.each([
  ['first', '{"jsonrpc":"2.0","id":7,"result":{"text":"', '"}}'],
  ['last', '{"result":{"id":3,"text":"', '"},"jsonrpc":"2.0","id":7}'],
  ['after an error', '{"error":{"code":1,"message":"', '"},"id":7}'],
])('answers the request of a line over the bound whose id comes %s', (_name, head, tail) => {
  const { messages, notices } = frame(
    [head, 'x'.repeat(3000), 'y'.repeat(3000), tail, '\n', `${JSON.stringify(one)}\n`],
    2000,
  );
  expect(messages).toEqual([
    { jsonrpc: '2.0', id: 7, error: { code: -32603, message: expect.any(String) } },
    one,
  ]);
  expect(notices).toHaveLength(1);
});

it.each([
  ['a request of the server', '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"text":"', '"}}'],
  ['a nested id', '{"jsonrpc":"2.0","result":{"text":"', '","id":7}}'],
  ['text', 'text ', ' text'],
])('answers nobody for a line over the bound with %s', (_name, head, tail) => {
  expect(frame([head, 'x'.repeat(3000), tail, '\n'], 2000).messages).toEqual([]);
});

it.each([
  ['a line', ''],
  ['a line with text before', 'log: '],
])('leaves out of %s what is nested too deeply, and says so', (_what, before) => {
  const nested = (levels: number) => `${'['.repeat(levels)}"}]\\\\"${']'.repeat(levels)}`;
  const deep = `${before}{"jsonrpc":"2.0","id":1,"result":{"a":${nested(100_000)},"b":[1]}}\n`;
  const { messages, notices } = frame([deep]);
  expect(messages).toHaveLength(1);
  expect(JSON.stringify(messages[0])).toMatch(
    /^{"jsonrpc":"2.0","id":1,"result":{"a":\[+null]+,"b":\[1]}}$/,
  );
  expect(JSON.stringify(messages[0]).length).toBeLessThan(1000);
  expect(notices.at(-1)).toContain('nested in more than 400 levels');
});

it('keeps a message of many levels that are not too many, and brackets in its texts', () => {
  const text = `${'[{'.repeat(1000)}\\"${'"[{'.repeat(1000)}`;
  const kept = {
    jsonrpc: '2.0',
    id: 1,
    result: { text, list: JSON.parse(`${'['.repeat(390)}${']'.repeat(390)}`) },
  };
  expect(frame([`${JSON.stringify(kept)}\n`])).toEqual({ messages: [kept], notices: [] });
});
