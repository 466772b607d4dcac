import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { GatheredWriter } from '../../../../../src/mcp/connection/stdio/gatheredWriter.js';

function open(error?: Error) {
  const writes: string[] = [];
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      writes.push(String(chunk));
      done(error);
    },
  });
  stream.on('error', () => undefined);
  return { writes, stream, writer: new GatheredWriter(stream) };
}

it('writes the lines of one turn at once, in their order', async () => {
  const { writes, writer } = open();
  await Promise.all(['a\n', 'b\n', 'c\n'].map((line) => writer.write(line)));
  await writer.write('d\n');
  expect(writes).toEqual(['a\nb\nc\n', 'd\n']);
});

it('takes each line to the stream at the end of its turn, whatever the stream still does', async () => {
  const begun: string[] = [];
  const stream = new Writable({
    write: (chunk) => void begun.push(String(chunk)),
  });
  const writer = new GatheredWriter(stream);
  void writer.write('a\n');
  await new Promise(setImmediate);
  void writer.write('b\n');
  await new Promise(setImmediate);
  expect(begun).toEqual(['a\n']);
  expect(stream.writableLength).toBe(4);
});

it('fails every line of a write that fails, and those that follow', async () => {
  const { writer } = open(new Error('EPIPE'));
  const lines = [writer.write('a\n'), writer.write('b\n')];
  const outcomes = await Promise.allSettled(lines);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(writer.write('c\n')).rejects.toThrow();
});
