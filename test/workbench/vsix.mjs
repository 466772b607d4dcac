// @ts-check
/** Builds and packages the extension when its sources changed. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { createProfile, installExtensions, vscodeHome } from './codeServer.mjs';
import { run } from './install.mjs';
import { repository, vsixPath, workbenchDir } from './paths.mjs';

const inputs = [
  'src',
  'media',
  'l10n',
  'build',
  'esbuild.mjs',
  '.vscodeignore',
  'package-lock.json',
];
const texts = ['package.json', 'package.nls.json', 'README.md', 'CHANGELOG.md', 'LICENSE'];

/**
 * A test run packages once, before its rings; PI_MCP_IS_PACKAGED tells its children.
 * @returns {string} hash of the packaged sources
 */
export function ensureVsix() {
  const stamp = join(workbenchDir, 'pi-mcp.vsix.hash');
  const packaged = existsSync(vsixPath) && existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (process.env.PI_MCP_IS_PACKAGED && packaged) {
    return packaged;
  }
  const hash = hashInputs();
  if (packaged !== hash) {
    console.log('Building and packaging …');
    mkdirSync(workbenchDir, { recursive: true });
    packageVsix(repository, vsixPath, []);
    writeFileSync(stamp, hash);
  }
  return hash;
}

/**
 * The extension that shows the way through the sample.
 * @returns {string} path of its package
 */
export function packageGuide() {
  return packageExtension(join(import.meta.dirname, 'guide'));
}

/**
 * An extension that is nothing but its folder.
 * @param {string} dir
 * @returns {string} path of its package
 */
export function packageExtension(dir) {
  const vsix = join(workbenchDir, `${basename(dir)}.vsix`);
  packageVsix(dir, vsix, ['--skip-license']);
  return vsix;
}

/**
 * The same sources give the same bytes, whenever and wherever: vsce sorts the entries and gives them all this time, which
 * a .zip holds in local time.
 */
const reproducible = { SOURCE_DATE_EPOCH: `${Date.UTC(1980, 0, 1) / 1000}`, TZ: 'UTC' };

/**
 * Links between the documents lead to the repository that the manifest names; the release writes into it where it runs.
 * @param {string} dir
 * @param {string} vsix
 * @param {readonly string[]} more
 */
export function packageVsix(dir, vsix, more) {
  const vsce = join(repository, 'node_modules/@vscode/vsce/vsce');
  const isAddressed = 'repository' in JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const anywhere = isAddressed ? [] : ['--allow-missing-repository', '--no-rewrite-relative-links'];
  run(process.execPath, [vsce, 'package', '--no-dependencies', ...anywhere, ...more, '-o', vsix], {
    cwd: dir,
    env: { ...process.env, ...reproducible },
  });
}

/**
 * The extension that watches the extension host; packaged when it changed.
 * @returns {string} path of its package
 */
export function ensureMonitor() {
  const dir = join(import.meta.dirname, 'monitor');
  const vsix = join(workbenchDir, 'monitor.vsix');
  const stamp = `${vsix}.hash`;
  const hash = hashOf(listFiles(dir));
  if (!existsSync(vsix) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
    packageExtension(dir);
    writeFileSync(stamp, hash);
  }
  return vsix;
}

/**
 * The current build and the monitor, installed as a user would, once for all windows that only run them. Needs VS Code.
 * @returns {string} folder of extensions
 */
export function ensureInstalled() {
  const monitor = ensureMonitor();
  const hash = `${ensureVsix()} ${hashOf([monitor])}`;
  const dir = join(vscodeHome, 'installed');
  const stamp = join(dir, 'vsix.hash');
  const profile = createProfile(dir);
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
    console.log('Installing the extension …');
    rmSync(profile.extensionsDir, { recursive: true, force: true });
    installExtensions(profile, [vsixPath, monitor]);
    writeFileSync(stamp, hash);
  }
  return profile.extensionsDir;
}

function hashInputs() {
  return hashOf([...inputs, ...texts].flatMap((name) => listFiles(join(repository, name))));
}

/** @param {readonly string[]} paths */
function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    hash.update(path).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function listFiles(path) {
  if (!existsSync(path)) {
    return [];
  }
  if (!statSync(path).isDirectory()) {
    return [path];
  }
  return readdirSync(path)
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}
