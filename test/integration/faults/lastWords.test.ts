/** A request to a process that has ended fails once all that it wrote was read, and not before. */
import { expect, it, onTestFinished } from 'vitest';
import { StdioTransport } from '../../../src/mcp/connection/stdio/stdioTransport.js';
import { createProcessTree } from '../../../src/platform/process/tree.js';

async function start() {
  const seen: string[] = [];
  const transport = new StdioTransport(
    {
      executable: '/bin/sh',
      // a child holds the pipes, as one does that a busy machine has not read to the end
      args: ['-c', 'echo last words >&2; sleep 30 & exit 7'],
      cwd: '/',
      env: { PATH: process.env.PATH ?? '' },
    },
    { tree: createProcessTree(), onNotice: () => undefined },
  );
  onTestFinished(() => transport.close());
  const hasExited = new Promise<void>((resolve) => {
    transport.onDidExit(() => setImmediate(resolve));
  });
  const isDown = new Promise<void>((resolve) => {
    transport.onclose = () => {
      seen.push('down');
      resolve();
    };
  });
  await transport.start();
  return { transport, seen, hasExited, isDown };
}

it('fails a request to a process that has ended when its last words are known', async () => {
  const { transport, seen, hasExited } = await start();
  await hasExited;
  await expect(transport.sendText('{}')).rejects.toThrow('Not connected');
  seen.push('failed');
  expect(seen).toEqual(['down', 'failed']);
  expect(transport.stderrTail).toEqual(['last words']);
  expect(transport.exit).toEqual({ exitCode: 7, signal: undefined });
});

it('fails a request at once that comes after the end was told', async () => {
  const { transport, isDown } = await start();
  await isDown;
  await expect(transport.sendText('{}')).rejects.toThrow('Not connected');
});
