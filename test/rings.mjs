// @ts-check
/** The test rings, their order and what each needs first. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { failedFiles, Tally } from './tally.mjs';
import { ensureChromium } from './workbench/chromium.mjs';
import { ensureCodeServer } from './workbench/codeServer.mjs';
import { nodeBin, nodeModules, repository } from './workbench/paths.mjs';
import { findProcesses, killProcesses } from './workbench/processes.mjs';
import { ensureVsix } from './workbench/vsix.mjs';

/**
 * Vitest project → what it needs. Listed in the order in which they run. A ring with a workbench shares one window and
 * one focus among the tests of a file, which a loaded machine may move between two keys: a file that failed runs once
 * more, in a VS Code of its own, and only what fails twice has failed.
 */
const rings = {
  unit: { needsPackage: false, needsWorkbench: false },
  integration: { needsPackage: true, needsWorkbench: false },
  faults: { needsPackage: false, needsWorkbench: false },
  attacks: { needsPackage: false, needsWorkbench: false },
  conformance: { needsPackage: false, needsWorkbench: false },
  accounts: { needsPackage: false, needsWorkbench: false },
  e2e: { needsPackage: true, needsWorkbench: true },
  screenshots: { needsPackage: true, needsWorkbench: true },
};
/** @typedef {keyof typeof rings} RingName */

/** @type {readonly RingName[]} */
const allRings = ['unit', 'integration', 'faults', 'attacks', 'conformance', 'accounts', 'e2e'];

/** What takes less than a minute and needs no package: the static checks and the ring of unit tests. */
const quick = 'quick';

const tally = new Tally(repository);

/**
 * Runs the named rings, or all of them after the static checks.
 * @param {readonly string[]} names
 * @returns {Promise<number>} exit status
 */
export async function main(names) {
  const known = [quick, ...Object.keys(rings)];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown) {
    console.error(`There is no test ring ${unknown}. Rings: ${known.join(', ')}.`);
    return 2;
  }
  if (names.length === 0 || names.includes(quick)) {
    check('format and lint', 'biome', ['check', '--colors=off']);
    check('types', 'tsc', []);
    check('what nobody uses', 'knip', ['--config', 'test/knip.json', '--no-progress']);
  }
  const wanted =
    names.length > 0 ? names.map((name) => (name === quick ? 'unit' : name)) : allRings;
  for (const name of /** @type {Set<RingName>} */ (new Set(wanted))) {
    await runRing(name);
  }
  console.log(`\n${tally.lines.join('\n')}`);
  return tally.failed > 0 ? 1 : 0;
}

/**
 * @param {string} title
 * @param {string} tool
 * @param {readonly string[]} args
 */
function check(title, tool, args) {
  console.log(`\n== ${title}`);
  const { status } = spawnSync(join(nodeBin, tool), [...args], {
    cwd: repository,
    stdio: 'inherit',
  });
  count(status === 0, title);
}

/**
 * A step that is not a vitest test counts as one.
 * @param {boolean} isPassed
 * @param {string} title
 */
function count(isPassed, title) {
  tally.count(isPassed);
  if (!isPassed) {
    console.error(`FAILED: ${title}`);
  }
}

/** @param {RingName} name */
async function runRing(name) {
  console.log(`\n== ${name}`);
  try {
    await prepare(name);
  } catch (error) {
    console.error(error);
    count(false, `preparing ${name}`);
    return;
  }
  const dir = realpathSync(mkdtempSync(join(tmpdir(), `pi-mcp-${name}-`)));
  try {
    runVitest(name, dir);
    const leaks = findProcesses(dir);
    for (const { pid, command } of leaks) {
      console.error(`Left behind: ${pid} ${command}`);
    }
    killProcesses(leaks);
    count(leaks.length === 0, `no process is left after ${name}`);
  } finally {
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param {RingName} name */
async function prepare(name) {
  const { needsPackage, needsWorkbench } = rings[name];
  if (needsPackage) {
    ensureVsix();
    process.env.PI_MCP_IS_PACKAGED = 'true';
  }
  if (needsWorkbench) {
    ensureCodeServer();
    process.env.CHROMIUM_PATH = await ensureChromium();
  }
}

/**
 * @param {RingName} name
 * @param {string} dir becomes HOME and TMPDIR, so that tests see no user's files and leave none
 */
function runVitest(name, dir) {
  const env = createEnv(dir);
  const first = runFiles(name, [], join(dir, 'report.json'), env);
  const failed = rings[name].needsWorkbench ? failedFiles(first.report) : [];
  if (failed.length === 0) {
    tally.add(name, first);
    return;
  }
  console.log(`\n== ${name}, failed files once more`);
  tally.add(name, first, runFiles(name, failed, join(dir, 'report-again.json'), env));
}

/**
 * @param {string} dir
 * @returns {NodeJS.ProcessEnv}
 */
function createEnv(dir) {
  const home = join(dir, 'home');
  const temp = join(dir, 'tmp');
  mkdirSync(home);
  mkdirSync(temp);
  return {
    ...process.env,
    PATH: `${nodeBin}${delimiter}${process.env.PATH}`,
    npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temp,
    TEMP: temp,
    TMP: temp,
  };
}

/**
 * @param {RingName} name
 * @param {readonly string[]} files none means all
 * @param {string} report
 * @param {NodeJS.ProcessEnv} env
 * @returns {import('./tally.mjs').Run}
 */
function runFiles(name, files, report, env) {
  const config = join(repository, 'test/vitest.config.mts');
  const args = ['run', '--config', config, '--project', name, '--passWithNoTests', ...files];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = join(nodeModules, 'vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, ...args, ...reporters], {
    cwd: repository,
    stdio: 'inherit',
    env,
  });
  const json = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined;
  return { isPassed: status === 0, report: json };
}
