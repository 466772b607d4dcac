// @ts-check
/** Installs dependencies and moves on to the Node that they bring. Runs on Node 20 without any package. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { nodeBin, nodeModules, repository } from './paths.mjs';

const isWindows = process.platform === 'win32';

/**
 * Runs a command to its end.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions & { mayFail?: boolean }} [options]
 */
export function run(command, args, { mayFail = false, ...options } = {}) {
  const result = spawnSync(command, [...args], {
    cwd: repository,
    stdio: 'inherit',
    shell: isWindows,
    ...options,
  });
  if (result.status !== 0 && !mayFail) {
    const why = result.error?.message ?? `status ${result.status ?? result.signal}`;
    throw new Error(`${command} ${args.join(' ')} failed: ${why}`);
  }
  return result.status === 0;
}

/** `npm ci` when node_modules is missing or does not hold what the lock file says. */
export function ensureDependencies() {
  if (!isInstalled()) {
    console.log('Installing dependencies …');
    run('npm', ['ci', '--loglevel=error']);
  }
}

function isInstalled() {
  const installedLock = join(nodeModules, '.package-lock.json');
  if (!existsSync(installedLock) || !existsSync(join(nodeBin, isWindows ? 'node.cmd' : 'node'))) {
    return false;
  }
  const wanted = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedLock, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) =>
      path === '' || optional || installed[path]?.version === version,
  );
}

/**
 * Installs packages of the distribution where that is possible: as root of a Debian. What fails is not there later.
 * @param {string} name as people say it @param {readonly string[]} packages
 */
export function installFromDebian(name, ...packages) {
  const isRoot = process.getuid?.() === 0;
  if (process.platform !== 'linux' || !isRoot || !existsSync('/usr/bin/apt-get')) {
    return;
  }
  console.log(`Installing ${name} from the distribution …`);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, mayFail: true };
  run('apt-get', ['update', '-q'], options);
  run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], options);
}

/**
 * Runs the calling script again on the Node of node_modules unless it already runs there; then never returns.
 * @param {string} script absolute path
 */
export async function continueOnOwnNode(script) {
  const { version } = JSON.parse(readFileSync(join(nodeModules, 'node/package.json'), 'utf8'));
  if (process.versions.node === version) {
    return;
  }
  const child = spawn(join(nodeBin, 'node'), [script, ...process.argv.slice(2)], {
    stdio: 'inherit',
    shell: isWindows,
    env: { ...process.env, PATH: `${nodeBin}${delimiter}${process.env.PATH}` },
  });
  // Ctrl-C reaches the child through the terminal; this process waits for it to clean up
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (status, signal) => resolve(status ?? (signal ? 1 : 0)));
  });
  process.exit(/** @type {number} */ (code));
}
