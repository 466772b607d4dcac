// @ts-check
/** A real VS Code from the npm registry: installs it, installs the extension into it, starts it on loopback. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChildProcess } from './children.mjs';
import { run } from './install.mjs';
import { nodeModules, repository, workbenchDir } from './paths.mjs';

/** Set for a run on the oldest VS Code that the manifest allows. */
const isOldest = process.env.PI_MCP_VSCODE === 'oldest';
const version = isOldest ? '4.110.0' : '4.139.1';
/** Where this VS Code and what is installed into it are. */
export const vscodeHome = isOldest ? join(workbenchDir, 'oldest') : workbenchDir;
const packageDir = join(vscodeHome, 'node_modules/code-server');
const system = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
/** The oldest one stands still on a Node that is newer than its own. */
const oldNode = { name: `node-${system}`, version: '22.23.3' };
const nodePath = isOldest
  ? join(vscodeHome, 'node_modules', oldNode.name, 'bin/node')
  : process.execPath;
const vscodeDir = join(packageDir, 'lib/vscode');
const entry = join(packageDir, 'out/node/entry.js');

/** Installs VS Code once. Its own install scripts need libraries and compilers that most machines lack. */
export function ensureCodeServer() {
  const stamp = join(vscodeHome, `code-server-${version}.installed`);
  if (!existsSync(stamp)) {
    console.log('Installing VS Code (code-server) …');
    mkdirSync(vscodeHome, { recursive: true });
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const packages = [
      `code-server@${version}`,
      ...(isOldest ? [`${oldNode.name}@${oldNode.version}`] : []),
    ];
    run('npm', ['install', '--prefix', vscodeHome, ...packages, ...quiet]);
    for (const cwd of [vscodeDir, join(vscodeDir, 'extensions')]) {
      run('npm', ['install', '--omit=dev', ...quiet], { cwd });
    }
    buildNativeLog();
    writeFileSync(stamp, '');
  }
}

/** Without this module VS Code runs, but writes no log files, so output channels stay empty. */
function buildNativeLog() {
  const compilers = ['python3', 'make', 'g++'];
  if (!compilers.every((name) => spawnSync(name, ['--version']).status === 0)) {
    console.log('No compiler: VS Code will run without log files.');
    return;
  }
  const env = { ...process.env, npm_config_nodedir: nodeHeaders() };
  const isBuilt = run('npm', ['rebuild', '@vscode/spdlog', '--loglevel=error'], {
    cwd: vscodeDir,
    env,
    mayFail: true,
  });
  if (!isBuilt) {
    console.log('The native log module did not build: VS Code will run without log files.');
  }
}

function nodeHeaders() {
  if (isOldest) {
    return join(vscodeHome, 'node_modules', oldNode.name);
  }
  const name = `node-${system}`;
  const bundled = join(nodeModules, 'node/node_modules', name);
  if (existsSync(join(bundled, 'include'))) {
    return bundled;
  }
  // a later `npm install` prunes the headers
  const prefix = join(workbenchDir, 'headers');
  const wanted = `${name}@${process.versions.node}`;
  run('npm', ['install', '--prefix', prefix, '--no-save', wanted], { mayFail: true });
  return join(prefix, 'node_modules', name);
}

/** VS Code's own extensions that tests look at. Each of the 99 costs every window, most of all those with large manifests. */
const usedBuiltIns = [
  'configuration-editing',
  'git',
  'git-base',
  'javascript',
  'json',
  'json-language-features',
  'markdown-basics',
  'theme-defaults',
  'theme-seti',
  'typescript-basics',
  'typescript-language-features',
];

/**
 * @param {string} dir becomes a folder of links to them
 * @returns {readonly string[]} arguments for the server
 */
export function useFewBuiltIns(dir) {
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  for (const name of usedBuiltIns) {
    symlinkSync(join(vscodeDir, 'extensions', name), join(dir, name), 'junction');
  }
  return ['--builtin-extensions-dir', dir];
}

/**
 * @typedef {object} Profile One user of VS Code.
 * @property {string} userDataDir
 * @property {string} extensionsDir
 * @property {string} homeDir
 * @property {NodeJS.ProcessEnv} [env] added to the server's environment
 */

/**
 * A profile below a folder, with settings that keep VS Code quiet.
 * @param {string} dir
 * @param {{ settings?: object, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Profile}
 */
export function createProfile(dir, { settings = {}, env = {} } = {}) {
  const userDataDir = join(dir, 'user-data');
  const homeDir = join(dir, 'home');
  const settingsDir = join(userDataDir, 'User');
  mkdirSync(settingsDir, { recursive: true });
  mkdirSync(homeDir, { recursive: true });
  const all = { ...quietSettings, ...settings };
  writeFileSync(join(settingsDir, 'settings.json'), JSON.stringify(all, undefined, 2));
  return { userDataDir, extensionsDir: join(dir, 'extensions'), homeDir, env };
}

const quietSettings = {
  'workbench.startupEditor': 'none',
  // older ones ask in every new folder
  'security.workspace.trust.startupPrompt': 'never',
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'git.openRepositoryInParentFolders': 'never',
};

/** @param {Profile} profile */
function profileArgs(profile) {
  const { userDataDir, extensionsDir } = profile;
  const config = join(userDataDir, 'code-server.yaml');
  return ['--user-data-dir', userDataDir, '--extensions-dir', extensionsDir, '--config', config];
}

/** @param {Profile} profile */
function profileEnv(profile) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, HOME: profile.homeDir, ...profile.env };
  // a shell inside VS Code hands these down, and the server would talk to that window
  for (const name of Object.keys(env).filter((key) => /^VSCODE_|^ELECTRON_/.test(key))) {
    delete env[name];
  }
  return env;
}

/**
 * Installs packages as a user would.
 * @param {Profile} profile
 * @param {readonly string[]} packages paths
 */
export function installExtensions(profile, packages) {
  const wanted = packages.flatMap((vsix) => ['--install-extension', vsix]);
  const args = [entry, ...profileArgs(profile), ...wanted, '--force'];
  const result = spawnSync(nodePath, args, { env: profileEnv(profile), encoding: 'utf8' });
  const installed = result.stdout.match(/was successfully installed/g) ?? [];
  if (result.status !== 0 || installed.length < packages.length) {
    throw new Error(
      `VS Code did not install ${packages.join(', ')}:\n${result.stdout}\n${result.stderr}`,
    );
  }
}

/**
 * Does what VS Code's own command for the display language does.
 * @param {Profile} profile
 * @param {string} folder of the language pack, which is installed and has one language
 * @returns {readonly string[]} arguments for the server
 */
export function useLanguagePack(profile, folder) {
  const { name, publisher, version, contributes } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const [{ languageId, localizedLanguageName: label, translations }] = contributes.localizations;
  const id = `${publisher}.${name}`;
  const installed = join(profile.extensionsDir, `${id}-${version}`);
  const pack = {
    hash: `${id}-${version}`,
    label,
    extensions: [{ extensionIdentifier: { id }, version }],
    translations: Object.fromEntries(
      translations.map((/** @type {{ id: string, path: string }} */ one) => [
        one.id,
        join(installed, one.path),
      ]),
    ),
  };
  // VS Code writes it when a window asks for its packs, which is too late for that window
  const file = join(profile.userDataDir, 'languagepacks.json');
  writeFileSync(file, JSON.stringify({ [languageId]: pack }));
  return ['--locale', languageId];
}

/**
 * Starts the server; resolves when it listens.
 * @param {Profile} profile
 * @param {{ port?: number, args?: readonly string[], under?: readonly string[] }} [options] port 0 takes any free one;
 *   `under`: a program and its arguments, which runs the server
 */
export async function startCodeServer(profile, { port = 0, args = [], under = [] } = {}) {
  const [program, ...before] = [...under, nodePath];
  const child = new ChildProcess(
    program ?? nodePath,
    [
      ...before,
      entry,
      ...profileArgs(profile),
      '--auth',
      'none',
      '--bind-addr',
      `127.0.0.1:${port}`,
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-getting-started-override',
      '--ignore-last-opened',
      ...args,
    ],
    { cwd: repository, env: profileEnv(profile) },
  );
  const [, url] = await child.waitForOutput(/HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/);
  return { child, url: /** @type {string} */ (url) };
}
