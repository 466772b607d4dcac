/** Files of the ring `e2e` in a run of their own, elsewhere: without a network, or in another VS Code. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeModules, repository } from '../../workbench/paths.mjs';

export interface Journey {
  readonly title: string;
  readonly status: 'passed' | 'failed';
  /** Why it failed. */
  readonly failures: readonly string[];
}

interface Surroundings {
  /** Titles, of which only these run; missing: all. */
  readonly only?: readonly string[];
  /** A program and its arguments, which runs them. */
  readonly under?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Those of the files that ran, in their order. Throws when the run makes no report. */
export async function runJourneys(
  files: readonly string[],
  { only = [], under = [], env = {} }: Surroundings,
): Promise<readonly Journey[]> {
  const folder = mkdtempSync(join(tmpdir(), 'journeys-'));
  try {
    const report = join(folder, 'report.json');
    const [program = process.execPath, ...args] = [
      ...[...under, process.execPath, join(nodeModules, 'vitest/vitest.mjs'), 'run'],
      ...['--config', join(repository, 'test/vitest.config.mts'), '--project', 'e2e'],
      ...[...files, ...(only.length > 0 ? ['-t', only.join('|')] : [])],
      ...['--reporter=json', `--outputFile=${report}`],
    ];
    const { PI_MCP_COSTS_DIR: _ofThisRun, ...own } = process.env;
    const run = spawn(program, args, { cwd: repository, stdio: 'ignore', env: { ...own, ...env } });
    await once(run, 'exit');
    const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'));
    return testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .flatMap(({ title, status, failureMessages: failures }) =>
        status === 'passed' || status === 'failed' ? [{ title, status, failures }] : [],
      );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}
