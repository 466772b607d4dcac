/** What of the ring `integration` needs no Unix, on the Node of Windows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { windowsPath } from '../helpers/windows/windowsMachine.js';
import { windowsRing } from '../helpers/windows/windowsRing.mjs';
import { repository } from '../workbench/paths.mjs';
import { windows } from '../workbench/windows.mjs';

interface Report {
  readonly testResults: readonly {
    /** Path of the file. */
    readonly name: string;
    /** Why it has no results. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs them with handles that are files, and reads what became of each. */
async function runRing(folder: string): Promise<Report> {
  const report = join(folder, 'report.json');
  const sockets = join(repository, 'test/helpers/windows/wineSockets.mjs');
  // Wine finds its server by these, and by no folder for temporary files
  const { PATH, HOME } = process.env;
  const run = spawn(
    process.env.WINE_PATH ?? 'wine',
    [
      ...[windows.node, 'node_modules/vitest/vitest.mjs', 'run'],
      ...['--config', 'test/helpers/windows/wine.config.mjs', '--configLoader', 'native'],
      ...['--reporter=json', `--outputFile=${windowsPath(report)}`],
    ],
    {
      cwd: repository,
      stdio: 'ignore',
      env: {
        PATH,
        HOME,
        ...windows.env,
        NODE_OPTIONS: `--import file:///Z:${sockets}`,
        NODE_PATH: windowsPath(windows.packages),
        WINEPATH: windowsPath(dirname(windows.node)),
      },
    },
  );
  await once(run, 'exit');
  return JSON.parse(readFileSync(report, 'utf8'));
}

it('runs there as here, but for what its table leaves out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pi-mcp-core-'));
  try {
    const { testResults } = await runRing(folder);
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    const lost = testResults.filter(({ assertionResults }) => assertionResults.length === 0);
    expect(lost.map(({ name, message }) => [name, message])).toEqual([]);
    const failed = tests.filter(({ status }) => status === 'failed');
    expect(failed.map(({ fullName, failureMessages }) => [fullName, failureMessages])).toEqual([]);
    expect(tests.filter(({ status }) => status === 'passed').length).toBeGreaterThan(400);
    const ran = tests.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName);
    const all = tests.map(({ fullName }) => fullName);
    for (const title of Object.values(windowsRing).flatMap((one) => Object.keys(one))) {
      expect([title, all.some((name) => name.includes(title))]).toEqual([title, true]);
      expect(ran.filter((name) => name.includes(title))).toEqual([]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 3_600_000);
