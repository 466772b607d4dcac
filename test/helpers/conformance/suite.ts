/** Runs single scenarios of the official suite, strictly, against the driver. */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { nodeModules, repository } from '../../workbench/paths.mjs';

export type SuiteVersion = '0.1' | '0.2';

export interface Scenario {
  readonly name: string;
  /** Revisions of the specification that it applies to; `extension` or `draft` beside them. */
  readonly revisions: readonly string[];
}

export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly name: string;
  readonly errorMessage?: string;
}

export interface Verdict {
  readonly exitCode: number;
  readonly checks: readonly Check[];
  readonly output: string;
}

const loopbackOnly = join(repository, 'test/helpers/conformance/loopbackOnly.mjs');
const scenarioTimeoutMs = 30_000;

function suitePath(version: SuiteVersion): string {
  return join(nodeModules, `conformance-${version}`, 'dist/index.js');
}

/** The client scenarios that a suite lists, optionally those that a revision requires. */
export async function listScenarios(
  version: SuiteVersion,
  requirements?: string,
): Promise<readonly Scenario[]> {
  const filter = requirements === undefined ? [] : ['--requirements', requirements];
  const { stdout } = await runSuite(version, ['list', '--client', ...filter], {});
  // sections for the sides of the protocol, and one of what is not scored, where the side stands with each item
  return stdout.split(/\n(?=\S)/).flatMap((section) => {
    const items = [...section.matchAll(/^\s+- (\S+)(?: \[([^\]]*)\])?/gm)];
    const isOwn = section.startsWith('Client scenarios');
    return items
      .map(([, name = '', tags]) => ({ name, revisions: tags?.split(',') ?? [] }))
      .filter(({ revisions }) => isOwn || revisions.includes('client'));
  });
}

/** One file that Node runs as it is. @returns the command of the client for the suite, which splits it at spaces. */
export async function buildDriver(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const outfile = join(directory, 'driver.cjs');
  await build({
    entryPoints: [join(repository, 'test/helpers/conformance/driver.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  return `${process.execPath} ${outfile}`;
}

export async function runScenario(
  version: SuiteVersion,
  scenario: string,
  options: { readonly command: string; readonly specVersion?: string },
): Promise<Verdict> {
  const wire = options.specVersion === undefined ? [] : ['--spec-version', options.specVersion];
  const { exitCode, stdout, stderr } = await runSuite(
    version,
    [
      'client',
      '--command',
      options.command,
      '--scenario',
      scenario,
      '--timeout',
      String(scenarioTimeoutMs),
      '--verbose',
      ...wire,
    ],
    // the mock servers would listen on every interface
    { NODE_OPTIONS: `--import ${loopbackOnly}`, DRIVER_SUITE: version },
  );
  return { exitCode, checks: readChecks(stdout), output: `${stdout}\n${stderr}` };
}

/** The checks are the one JSON array among the lines of the output. */
function readChecks(stdout: string): readonly Check[] {
  const start = stdout.search(/^\[\s*$/m);
  const end = stdout.lastIndexOf('\n]');
  if (start < 0 || end < start) {
    return [];
  }
  return JSON.parse(stdout.slice(start, end + 2)) as Check[];
}

/** @param args of its command line */
export function runSuite(
  version: SuiteVersion,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [suitePath(version), ...args], options, (error, stdout, stderr) => {
      const exitCode = typeof error?.code === 'number' ? error.code : error ? -1 : 0;
      resolve({ exitCode, stdout, stderr });
    });
  });
}
