import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runSecretCommand } from '../../../../src/config/launch/commandValue.js';
import { createNodeHostEnvironment } from '../../../../src/platform/environment/nodeHostEnvironment.js';
import type { OperatingSystem } from '../../../../src/platform/process/operatingSystem.js';
import { createProcessSystem, readProcessTable } from '../../../../src/platform/process/system.js';
import { treeOf, windowsEpochTicks } from '../../../../src/platform/process/table.js';
import { createProcessTree } from '../../../../src/platform/process/tree.js';

const folder = mkdtempSync(join(tmpdir(), 'command-value-'));
afterAll(() => rm(folder, { recursive: true }));
/** The shell of a command writes its pid into it. */
const shellFile = join(folder, 'shell');
const helper = `echo $$ > ${shellFile}; sleep ${1_000_000 + process.pid}`;

/** Windows, whose processes are those of this machine, and name their parents for ever. */
class WindowsHere implements OperatingSystem {
  readonly platform = 'win32';
  readonly ran: string[] = [];
  readonly kill = (pid: number, signal: NodeJS.Signals | 0) => void process.kill(pid, signal);

  async run(file: string, args: readonly string[]): Promise<string> {
    this.ran.push(file);
    if (file.endsWith('taskkill.exe')) {
      for (const { pid } of treeOf(Number(args[1]), await readProcessTable())) {
        process.kill(pid, 'SIGKILL');
      }
      return '';
    }
    const ticks = windowsEpochTicks + BigInt(Math.ceil(statSync(shellFile).mtimeMs)) * 10_000n;
    return (await helpers())
      .map(({ pid }) => `${pid} ${readFileSync(shellFile, 'utf8').trim()} 1 ${ticks} x\r\n`)
      .join('')
      .concat('listed\r\n');
  }
}

const environment = createNodeHostEnvironment({ env: { PATH: process.env.PATH } });
const place = { server: 's', field: 'env.K' };
const run = (command: string, os?: OperatingSystem, timeLimitMs?: number) =>
  runSecretCommand(command, {
    cwd: tmpdir(),
    environment,
    place,
    signal: undefined,
    tree: createProcessTree(createProcessSystem(os)),
    ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
  });

/** Those that run. */
async function helpers() {
  const system = createProcessSystem();
  const words = helper.slice(helper.indexOf('sleep'));
  const rows = await readProcessTable();
  return rows.filter((row) => system.argumentsOf(row).join(' ') === words);
}

afterEach(() => expect.poll(helpers).toEqual([]));

describe.each([
  ['here', undefined],
  ['on Windows', new WindowsHere()],
])('%s', (_where, os) => {
  it('a command that takes too long ends with what it has started', async () => {
    await expect(run(`${helper} & echo told; ${helper}; true`, os, 200)).rejects.toThrow(
      'does not answer in time',
    );
  });

  it('what a command leaves behind with its output ends, too', async () => {
    expect(await run(`${helper} & echo told`, os)).toBe('told');
  });
});

it('nobody looks who runs on Windows after a command that leaves nothing', async () => {
  const os = new WindowsHere();
  expect(await run('echo told', os)).toBe('told');
  expect(os.ran).toEqual([]);
});
