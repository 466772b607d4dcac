/** The gateway of the command line, and a client of it, both on Windows. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useScript } from '../helpers/script.js';
import {
  cliPath,
  WindowsMachine,
  windowsPath,
  windowsServer,
} from '../helpers/windows/windowsMachine.js';

const client = useScript('test/fixtures/windows/gatewayClient.ts');
let machine: WindowsMachine;
beforeAll(async () => {
  machine = await WindowsMachine.create();
});
afterAll(async () => {
  await machine?.dispose();
});

it('serves by HTTP and by a named pipe, and is gone when its input ends', async () => {
  await machine.writeServers({ memory: windowsServer('server-memory/dist/index.js') });
  const home = ['--home', windowsPath(machine.home)];
  const { status, out, error } = await machine.node([
    windowsPath(client.path),
    windowsPath(cliPath),
    ...home,
    ...['--json', '--trust', 'gateway'],
  ]);
  expect([status, error]).toEqual([0, error]);
  const seen = JSON.parse(out);
  expect(seen.path).toMatch(/^\\\\\.\\pipe\\pi-mcp-[\da-f]{32}$/);
  expect(seen.stranger).toBe(401);
  for (const { tools, content } of [seen.http, seen.pipe]) {
    expect(tools).toContain('memory__read_graph');
    expect(JSON.parse(content[0].text)).toEqual({ entities: [], relations: [] });
  }
  expect([seen.status, seen.after]).toEqual([0, 'ENOENT']);
  await expect.poll(() => machine.running()).toEqual([]);
});
