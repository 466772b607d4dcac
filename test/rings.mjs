// @ts-check
/** Runs the test rings. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { costTable, describeDearest, readCosts, takeCostsOption } from './costs.mjs';
import { outsideErrorsVariable } from './outsideErrors.mjs';
import { chooseRings, hasWindows, rings } from './ringTable.mjs';
import { failedFiles, Tally } from './tally.mjs';
import { ensureChromium } from './workbench/chromium.mjs';
import { ensureCodeServer } from './workbench/codeServer.mjs';
import { nodeBin, nodeModules, repository } from './workbench/paths.mjs';
import { findProcesses, killProcesses } from './workbench/processes.mjs';
import { ensureVsix } from './workbench/vsix.mjs';

const tally = new Tally(repository);
/** @type {import('./costs.mjs').FileCost[]} */
const costs = [];

/** @typedef {import('./ringTable.mjs').RingName} RingName */
/** @typedef {import('./ringTable.mjs').Part} Part */

/**
 * Runs what is named, or the usual rings after the static checks.
 * @param {readonly string[]} words
 * @returns {Promise<number>} exit status
 */
export async function main(words) {
  const option = takeCostsOption(words);
  const choice = chooseRings(option.words, (name) =>
    globSync(rings[name].files, { cwd: repository }),
  );
  if (typeof choice === 'string') {
    console.error(choice);
    return 2;
  }
  if (choice.hasChecks) {
    await Promise.all([
      check('format and lint', tool('biome'), ['check', '--colors=off', '--error-on-warnings']),
      check('types', tool('tsc'), []),
      check('what nobody uses', tool('knip'), ['--config', 'test/knip.json', '--no-progress']),
    ]);
  }
  await runParts(choice);
  if (choice.hasServers) {
    await check('public servers', process.execPath, ['test/servers/run.mjs']);
  }
  console.log(`\n${describeDearest(costs).join('\n')}`);
  if (option.path !== undefined) {
    mkdirSync(dirname(option.path), { recursive: true });
    writeFileSync(option.path, costTable(costs));
  }
  console.log(`\n${tally.lines.join('\n')}`);
  return tally.failed > 0 ? 1 : 0;
}

/** @param {string} name */
const tool = (name) => join(nodeBin, name);

/**
 * Shows what a program says when it has ended, so that several may run at once.
 * @param {string} title
 * @param {string} program
 * @param {readonly string[]} args
 */
async function check(title, program, args) {
  const child = spawn(program, [...args], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  console.log(`\n== ${title}\n${out}${errors}`);
  count(status === 0, title);
}

/**
 * A step that is not a vitest test counts as one.
 * @param {boolean} isPassed
 * @param {string} title
 */
function count(isPassed, title) {
  tally.count(isPassed, title);
  if (!isPassed) {
    console.error(`FAILED: ${title}`);
  }
}

/**
 * Those without windows of VS Code wait for processes as much as they compute: two of them at a time, then the others alone.
 * @param {import('./ringTable.mjs').Choice} choice
 */
async function runParts({ parts, isStrict }) {
  /** @type {Part[]} */
  const ready = [];
  for (const part of parts) {
    try {
      await prepare(part.ring);
      ready.push(part);
    } catch (error) {
      console.error(error);
      count(false, `preparing ${part.ring}`);
    }
  }
  const alone = ready.filter(({ ring }) => hasWindows(ring));
  const beside = ready.filter(({ ring }) => !hasWindows(ring));
  const lanes = Math.min(2, beside.length);
  const takeTurns = async () => {
    for (let part = beside.shift(); part; part = beside.shift()) {
      await runPart(part, isStrict, lanes === 1);
    }
  };
  await Promise.all(Array.from({ length: lanes }, takeTurns));
  for (const part of alone) {
    await runPart(part, isStrict, true);
  }
}

/**
 * @param {Part} part
 * @param {boolean} isStrict
 * @param {boolean} isAlone
 */
async function runPart(part, isStrict, isAlone) {
  const { ring: name, slow } = part;
  console.log(`\n== ${name}${slow === 'only' ? ', what is slow' : ''}`);
  const dir = realpathSync(mkdtempSync(join(tmpdir(), `pi-mcp-${name}-`)));
  try {
    await runVitest(part, { isStrict, isAlone }, dir);
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
  const { needs } = rings[name];
  if (needs.includes('package')) {
    ensureVsix();
    process.env.PI_MCP_IS_PACKAGED = 'true';
  }
  if (needs.includes('code-server')) {
    ensureCodeServer();
  }
  if (needs.includes('browser')) {
    process.env.CHROMIUM_PATH = await ensureChromium();
  }
}

/**
 * @param {Part} part
 * @param {{ readonly isStrict: boolean, readonly isAlone: boolean }} way
 * @param {string} dir becomes HOME and TMPDIR, so that tests see no user's files and leave none
 */
async function runVitest({ ring: name, files, slow }, { isStrict, isAlone }, dir) {
  const env = createEnv(dir);
  const wanted = slow === 'only' ? ['.slow.test.'] : files;
  const others = slow === 'without' ? ['--exclude=**/*.slow.test.ts'] : [];
  const run = (/** @type {readonly string[]} */ chosen, /** @type {string} */ report) =>
    runFiles(name, chosen, join(dir, report), { env, isAlone });
  const first = await run([...wanted, ...others], 'report.json');
  const failed = hasWindows(name) && !isStrict ? failedFiles(first.report) : [];
  if (failed.length === 0) {
    tally.add(name, first);
  } else {
    console.log(`\n== ${name}, failed files once more`);
    tally.add(name, first, await run(failed, 'report-again.json'));
  }
  costs.push(...readCosts(name, costsDir(dir), first.report, (path) => relative(repository, path)));
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
  mkdirSync(costsDir(dir));
  return {
    ...process.env,
    PATH: `${nodeBin}${delimiter}${process.env.PATH}`,
    npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temp,
    TEMP: temp,
    TMP: temp,
    PI_MCP_COSTS_DIR: costsDir(dir),
  };
}

/**
 * Where test files leave what they took.
 * @param {string} dir of the ring
 */
function costsDir(dir) {
  return join(dir, 'costs');
}

/**
 * @param {RingName} name
 * @param {readonly string[]} files parts of their paths, none means all; and options of vitest
 * @param {string} report
 * @param {{ readonly env: NodeJS.ProcessEnv, readonly isAlone: boolean }} way
 * @returns {Promise<import('./tally.mjs').Run>}
 */
async function runFiles(name, files, report, { env, isAlone }) {
  const config = join(repository, 'test/vitest.config.mts');
  const args = ['run', '--config', config, '--project', name, '--passWithNoTests', ...files];
  const reporters = ['default', 'json', join(repository, 'test/outsideErrors.mjs')];
  const options = reporters.map((reporter) => `--reporter=${reporter}`);
  const vitest = join(nodeModules, 'vitest/vitest.mjs');
  const outside = `${report}.outside`;
  const child = spawn(
    process.execPath,
    [vitest, ...args, ...options, `--outputFile.json=${report}`],
    {
      cwd: repository,
      // two that draw their progress would draw over each other
      stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      env: { ...env, [outsideErrorsVariable]: outside },
    },
  );
  child.stdout?.pipe(process.stdout, { end: false });
  child.stderr?.pipe(process.stderr, { end: false });
  const [status, signal] = await once(child, 'close');
  const errors = readJson(outside) ?? [];
  return {
    isPassed: status === 0,
    report: readJson(report),
    outside: errors.length > 0 ? errors : [`vitest ended with ${signal ?? status}`],
  };
}

/** @param {string} path @returns {any} undefined without the file */
function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}
