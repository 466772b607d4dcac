// @ts-check
/** What `npm start` does once the packages are there. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stopAllChildren } from './children.mjs';
import {
  createProfile,
  ensureCodeServer,
  installExtensions,
  startCodeServer,
} from './codeServer.mjs';
import { startDemo } from './demo/demo.mjs';
import { vsixPath, workbenchDir } from './paths.mjs';
import { portOr, startHttpServer, writeSampleWorkspace } from './sample.mjs';
import { ensureVsix, packageGuide } from './vsix.mjs';

const defaultPort = 8765;
const defaultHttpPort = 8766;
const profileDir = join(workbenchDir, 'profile');
const sampleDir = join(workbenchDir, 'sample');

/** VS Code's own client would start the sample's servers a second time, and the model's port is nobody's to see. */
const sampleSettings = { 'chat.mcp.access': 'none', 'remote.autoForwardPorts': false };

/** @param {string} url */
function welcome(url) {
  return `
Pi MCP runs in VS Code at

  ${url}

What to do first:
  1. Open the address. The sample's README, the servers and the agent are in sight.
  2. Trust the workspace: click Restricted Mode in the status bar, then Trust.
  3. Click Review in the Servers view, read what would run, and trust it.
  4. Ask the Pi Agent what it can do.

Press Ctrl-C to stop.`;
}

/** @param {{ port?: string, folder?: string, fresh?: boolean, open?: boolean }} options */
export async function main(options) {
  endWithSignal();
  if (options.fresh) {
    rmSync(profileDir, { recursive: true, force: true });
    rmSync(sampleDir, { recursive: true, force: true });
  }
  ensureCodeServer();
  const profile = installInto(profileDir);
  const http = await startHttpServer(await portOr(defaultHttpPort));
  const demo = await startDemo(join(profileDir, 'agent'));
  const folder = options.folder ? resolve(options.folder) : ensureSample(http.url);

  const port = options.port ? Number(options.port) : await portOr(defaultPort);
  const server = await startCodeServer(profile, { port });
  const url = `${server.url}/?folder=${encodeURI(folder)}`;
  console.log(welcome(url));
  if (options.open) {
    openBrowser(url);
  }
  await server.child.exited;
  await demo.close();
  await stopAllChildren();
}

/**
 * The profile of `npm start` with the current build of the extension in it.
 * @param {string} dir
 */
function installInto(dir) {
  const profile = createProfile(dir, {
    env: { PI_CODING_AGENT_DIR: join(dir, 'agent') },
    settings: sampleSettings,
  });
  const hash = ensureVsix();
  const stamp = join(dir, 'installed.hash');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
    console.log('Installing the extension …');
    installExtensions(profile, [vsixPath, packageGuide()]);
    writeFileSync(stamp, hash);
  }
  return profile;
}

/**
 * Writes the sample once, so that edits in it last; its remote server's address is kept true.
 * @param {string} httpUrl
 */
function ensureSample(httpUrl) {
  const stamp = join(workbenchDir, 'sample.url');
  const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === httpUrl;
  if (!existsSync(sampleDir) || !isCurrent) {
    writeSampleWorkspace(sampleDir, { httpUrl });
    writeFileSync(stamp, httpUrl);
  }
  return sampleDir;
}

function endWithSignal() {
  let isStopping = false;
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      if (!isStopping) {
        isStopping = true;
        console.log('\nStopping …');
        void stopAllChildren().then(() => process.exit(0));
      }
    });
  }
}

/** @param {string} url */
function openBrowser(url) {
  /** @type {Partial<Record<NodeJS.Platform, string>>} */
  const openers = { darwin: 'open', win32: 'explorer' };
  const command = openers[process.platform] ?? 'xdg-open';
  spawn(command, [url], { stdio: 'ignore', detached: true })
    .on('error', () => console.log('No browser could be opened; open the URL yourself.'))
    .unref();
}
