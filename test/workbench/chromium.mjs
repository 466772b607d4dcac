// @ts-check
/** Finds a Chromium for tests and screenshots, installing one where that is possible. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installFromDebian, run } from './install.mjs';
import { workbenchDir } from './paths.mjs';

const sparticuzVersion = '153.0.0';
/** A Chromium without windows of its own comes first: it shows the same pages in three quarters of the time. */
const candidates = [
  // the command beside it is a script that would stay between it and who ends it
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** How it does nothing but what a test asks for. */
export const quietArgs = /** @type {const} */ ([
  '--no-sandbox',
  '--disable-gpu',
  '--disable-gpu-rasterization',
  '--disable-software-rasterizer',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]);

/** How tests start it to look at VS Code. */
export const windowArgs = /** @type {const} */ ([
  ...quietArgs,
  // drawn by the processor, what moves takes up to half of what drawing takes, and a click waits until it stands
  '--force-prefers-reduced-motion',
  // only our own policies shall stand between a page and a server on loopback
  '--disable-features=LocalNetworkAccessChecks',
]);

/** @returns {Promise<string>} absolute path of the executable */
export async function ensureChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (!existsSync(named)) {
      throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`);
    }
    return named;
  }
  for (const name of ['chromium-headless-shell', 'chromium']) {
    if (findInstalled() === undefined) {
      installFromDebian('Chromium', name);
    }
  }
  return findInstalled() ?? (await installFromNpm());
}

function findInstalled() {
  return candidates.find((path) => existsSync(path));
}

async function installFromNpm() {
  const prefix = join(workbenchDir, 'chromium');
  const name = '@sparticuz/chromium';
  console.log(`Installing ${name} …`);
  run('npm', ['install', '--prefix', prefix, '--no-save', `${name}@${sparticuzVersion}`], {
    mayFail: true,
  });
  try {
    const entry = createRequire(join(prefix, 'x.js')).resolve(name);
    const { default: chromium } = await import(entry);
    return /** @type {string} */ (await chromium.executablePath());
  } catch (error) {
    throw new Error(
      'No Chromium was found and none could be installed. Install Chromium or Chrome and set CHROMIUM_PATH to its executable.',
      { cause: error },
    );
  }
}
