/** How Windows starts what an entry says: batch files, their arguments, variables, and paths in all their forms. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WindowsMachine, windowsPath, windowsServer } from '../helpers/windows/windowsMachine.js';

const reflect = `
const { writeFileSync } = require('node:fs');
writeFileSync(process.env.SEEN, JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), env: process.env }));
`;

let machine: WindowsMachine;
beforeEach(async () => {
  machine = await WindowsMachine.create();
  await machine.write('work/reflect.cjs', reflect);
});
afterEach(async () => {
  await expect.poll(() => machine.running()).toEqual([]);
  await machine.dispose();
});

const seenPath = () => join(machine.root, 'seen.json');

/** What a program saw that an entry starts; it answers nothing, so that the probe fails. */
async function seenBy(entry: object) {
  await rm(seenPath(), { force: true });
  const env = { SEEN: windowsPath(seenPath()), ...('env' in entry ? (entry.env as object) : {}) };
  await machine.writeServers({ one: { ...entry, env } });
  const { document } = await machine.json('probe', '--trust');
  const [server] = document.servers;
  return {
    server,
    seen: existsSync(seenPath()) ? JSON.parse(machine.read('seen.json')) : undefined,
  };
}

const hostile = [
  'plain',
  'two words',
  '',
  'a&echo>canary',
  'a|more',
  'a^b',
  '%PATH%',
  '"&echo>canary&"',
  '\\"&echo>canary',
  '!PATH!',
  'ends with \\',
  '(a)',
  '<in>out',
  '$(x) `x`',
];

describe('arguments', () => {
  it('reach a program as they are written', async () => {
    const { seen } = await seenBy({ command: 'node', args: ['reflect.cjs', ...hostile] });
    expect(seen.args).toEqual(hostile);
  });

  it('reach a batch file as they are written, or are refused; nothing of them is run', async () => {
    await machine.write('work/tool.cmd', '@node "%~dp0reflect.cjs" %*\r\n');
    // behind %*, the shell of Wine puts variables in a second time, which that of Windows does not
    for (const argument of hostile.filter((one) => !one.includes('%'))) {
      const { seen, server } = await seenBy({ command: '.\\tool.cmd', args: [argument] });
      expect(existsSync(join(machine.folder, 'canary'))).toBe(false);
      const isRefused = server.error.code === 'invalid_entry';
      expect(isRefused).toBe(/".*[&|<>^]/.test(argument));
      expect(seen?.args ?? [argument]).toEqual([argument]);
    }
  });

  it('control: the same line in a shell writes the canary', async () => {
    await seenBy({ command: 'cmd.exe', args: ['/c', 'echo>canary'] });
    expect(existsSync(join(machine.folder, 'canary'))).toBe(true);
  });
});

describe('the environment', () => {
  it('has what programs of Windows cannot do without, and names in any case once', async () => {
    const { seen } = await seenBy({
      command: 'node',
      args: ['reflect.cjs'],
      env: { temp: 'C:\\only', NEW: 'x' },
    });
    const names = Object.keys(seen.env);
    expect(names.filter((name) => name.toLowerCase() === 'temp')).toHaveLength(1);
    expect(seen.env.NEW).toBe('x');
    expect(names.map((name) => name.toUpperCase())).toEqual(
      expect.arrayContaining(['SYSTEMROOT', 'TEMP', 'PATH']),
    );
  });
});

describe('paths', () => {
  it.each([
    ['forward slashes', (path: string) => path.replaceAll('\\', '/')],
    ['a drive in lower case', (path: string) => path.replace(/^Z/, 'z')],
    ['the long form', (path: string) => `\\\\?\\${path}`],
  ])('of the folder may have %s', async (_what, change) => {
    await machine.writeServers({ memory: windowsServer('server-memory/dist/index.js') });
    const { status, document } = await machine.json(
      '--folder',
      change(windowsPath(machine.folder)),
      'probe',
      '--trust',
    );
    expect([status, document.servers[0].state]).toEqual([0, 'connected']);
  });

  it('are one folder in any case for trust', async () => {
    await machine.writeServers({ memory: windowsServer('server-memory/dist/index.js') });
    const path = windowsPath(machine.folder);
    expect((await machine.json('--folder', path, 'trust', '--yes')).status).toBe(0);
    const { document } = await machine.json('--folder', path.replace(/^Z/, 'z'), 'list');
    expect(document.servers[0].state).toBe('idle');
  });

  it('with blanks and odd characters are started in', async () => {
    const name = "it's a [dir] & 100%";
    await machine.write(`work/${name}/reflect.cjs`, reflect);
    const { seen } = await seenBy({ command: 'node', args: ['reflect.cjs'], cwd: name });
    expect(seen.cwd).toBe(windowsPath(join(machine.folder, name)));
  });

  it('that do not exist are told with what to do', async () => {
    const { server } = await seenBy({ command: 'no-such-program' });
    expect(server.error.code).toBe('spawn_enoent');
    const missing = await seenBy({ command: 'node', cwd: 'missing' });
    expect(missing.server.error.code).toBe('spawn_cwd');
  });
});

it('files of ours lie below the folder of the user', async () => {
  await machine.writeServers({ memory: windowsServer('server-memory/dist/index.js') });
  await machine.json('trust', '--yes');
  expect(existsSync(join(machine.home, '.pi/agent/pi-mcp/mcp-stdio-trust.json'))).toBe(true);
});
