/** How Windows starts what an entry says: batch files, their arguments, variables, and paths in all their forms. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WindowsMachine, windowsPath, windowsServer } from '../helpers/windows/windowsMachine.js';
import { repository } from '../workbench/paths.mjs';
import { windows } from '../workbench/windows.mjs';

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

const nodeFolder = windowsPath(dirname(windows.node));
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

  it('reach no batch file together with a variable whose name would be found in them', async () => {
    await machine.write('work/tool.cmd', '@node "%~dp0reflect.cjs" %*\r\n');
    const env = { 'X^': '&echo>canary&' };
    const { seen, server } = await seenBy({ command: '.\\tool.cmd', args: ['%X%'], env });
    expect([seen, server.error.code]).toEqual([undefined, 'invalid_entry']);
    expect(existsSync(join(machine.folder, 'canary'))).toBe(false);
  });

  it('control: the same line in a shell writes the canary', async () => {
    await seenBy({ command: 'cmd.exe', args: ['/c', 'echo>canary'] });
    expect(existsSync(join(machine.folder, 'canary'))).toBe(true);
  });
});

describe('a program without its ending', () => {
  /** Of one name in a folder, each of which says what it is. */
  async function writePrograms(name: string, endings: readonly string[]) {
    for (const ending of endings) {
      await machine.write(
        `bin/${name}${ending}`,
        `@node "%~dp0..\\work\\reflect.cjs" ${ending} %*\r\n`,
      );
    }
    return { PATH: `"${windowsPath(join(machine.root, 'bin'))}";${nodeFolder}` };
  }

  it('is the batch file of npm among its scripts for other shells, in a folder in quotation marks', async () => {
    const env = await writePrograms('npx', ['', '.ps1', '.cmd']);
    const { seen } = await seenBy({ command: 'npx', args: ['-y', 'some-server', 'a b'], env });
    expect(seen.args).toEqual(['.cmd', '-y', 'some-server', 'a b']);
  });

  it.each([
    ['.CMD;.BAT;.EXE', '.cmd'],
    ['.BAT;.CMD;.EXE', '.bat'],
  ])('is found in the order of PATHEXT: %s', async (PATHEXT, first) => {
    const env = { ...(await writePrograms('tool', ['.cmd', '.bat'])), PATHEXT };
    expect((await seenBy({ command: 'tool', env })).seen.args).toEqual([first]);
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

it('a server that ignores the end of its input is ended', async () => {
  const script = windowsPath(join(repository, 'test/fixtures/servers/misbehave.mjs'));
  await machine.writeServers({ one: { command: 'node', args: [script, '--ignore-eof'] } });
  const { status, document } = await machine.json('probe', '--trust');
  expect([status, document.servers[0].state]).toEqual([0, 'connected']);
});

it('files of ours lie below the folder of the user', async () => {
  await machine.writeServers({ memory: windowsServer('server-memory/dist/index.js') });
  await machine.json('trust', '--yes');
  expect(existsSync(join(machine.home, '.pi/agent/pi-mcp/mcp-stdio-trust.json'))).toBe(true);
});
