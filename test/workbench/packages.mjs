// @ts-check
/** Packages that only some tests need, outside of node_modules. */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/**
 * Installs packages without their peers. Scripts of packages are not run.
 * @param {string} prefix absolute
 * @param {readonly string[]} packages with exact versions
 */
export function installPackages(prefix, packages) {
  mkdirSync(prefix, { recursive: true });
  const flags = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--prefix', prefix, ...flags, ...packages],
    {
      encoding: 'utf8',
      timeout: 240_000,
      shell: process.platform === 'win32',
    },
  );
  if (status !== 0) {
    throw new Error(stderr?.trim().split('\n').at(-1) || 'npm did not install it');
  }
}
