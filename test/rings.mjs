// @ts-check
/** The test rings, their order and what each needs first. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ensureChromium } from './workbench/chromium.mjs';
import { ensureCodeServer } from './workbench/codeServer.mjs';
import { nodeBin, nodeModules, repository } from './workbench/paths.mjs';
import { findProcesses, killProcesses } from './workbench/processes.mjs';
import { ensureVsix } from './workbench/vsix.mjs';

/** Vitest project → what it needs. Listed in the order in which they run. */
const rings = {
  unit: { needsPackage: false, needsWorkbench: false },
  integration: { needsPackage: true, needsWorkbench: false },
  faults: { needsPackage: false, needsWorkbench: false },
  conformance: { needsPackage: false, needsWorkbench: false },
  e2e: { needsPackage: true, needsWorkbench: true },
  screenshots: { needsPackage: true, needsWorkbench: true },
};
/** @typedef {keyof typeof rings} RingName */

/** @type {readonly RingName[]} */
const allRings = ['unit', 'integration', 'faults', 'conformance', 'e2e'];

/** @type {{ passed: number, failed: number, skipped: number }} */
const total = { passed: 0, failed: 0, skipped: 0 };

/**
 * Runs the named rings, or all of them after the static checks.
 * @param {readonly string[]} names
 * @returns {Promise<number>} exit status
 */
export async function main(names) {
  const unknown = names.find((name) => !(name in rings));
  if (unknown) {
    console.error(`There is no test ring ${unknown}. Rings: ${Object.keys(rings).join(', ')}.`);
    return 2;
  }
  if (names.length === 0) {
    check('format and lint', 'biome', ['check', '--colors=off']);
    check('types', 'tsc', []);
  }
  for (const name of /** @type {RingName[]} */ (names.length > 0 ? names : allRings)) {
    await runRing(name);
  }
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
  return total.failed > 0 ? 1 : 0;
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
  total[isPassed ? 'passed' : 'failed'] += 1;
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
  const report = join(dir, 'report.json');
  const home = join(dir, 'home');
  const temp = join(dir, 'tmp');
  mkdirSync(home);
  mkdirSync(temp);
  const env = {
    ...process.env,
    PATH: `${nodeBin}${delimiter}${process.env.PATH}`,
    npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temp,
    TEMP: temp,
    TMP: temp,
  };
  const config = join(repository, 'test/vitest.config.mts');
  const args = ['run', '--config', config, '--project', name, '--passWithNoTests'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const vitest = join(nodeModules, 'vitest/vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, ...args, ...reporters], {
    cwd: repository,
    stdio: 'inherit',
    env,
  });
  addReport(name, report, status === 0);
}

/**
 * @param {RingName} name
 * @param {string} report
 * @param {boolean} isPassed
 */
function addReport(name, report, isPassed) {
  const failedBefore = total.failed;
  if (existsSync(report)) {
    const json = JSON.parse(readFileSync(report, 'utf8'));
    total.passed += json.numPassedTests;
    total.failed += json.numFailedTests;
    total.skipped += json.numPendingTests + json.numTodoTests;
  }
  if (!isPassed && total.failed === failedBefore) {
    // a file that does not load, or an error outside of any test, is in no test's result
    count(false, `${name} ended with an error outside of its tests`);
  }
}
