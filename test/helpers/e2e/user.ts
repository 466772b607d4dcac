/**
 * A user of VS Code: its server, its folders and a browser. Each worker has one that serves its files one after the
 * other, each of which finds it as new; what a server is started with takes one of its own.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';
import { ensureChromium, windowArgs } from '../../workbench/chromium.mjs';
import {
  createProfile,
  ensureCodeServer,
  installExtensions,
  startCodeServer,
  useLanguagePack,
} from '../../workbench/codeServer.mjs';
import { vsixPath } from '../../workbench/paths.mjs';
import { findProcesses, killProcesses } from '../../workbench/processes.mjs';
import {
  ensureInstalled,
  ensureMonitor,
  ensureVsix,
  packageExtension,
} from '../../workbench/vsix.mjs';
import { HostMonitor } from './hostMonitor.js';
import type { WorkbenchOptions } from './workbench.js';

export interface User {
  /** Named by the environment of every process of its server. */
  readonly dir: string;
  readonly url: string;
  readonly browser: Browser;
  /** PI_CODING_AGENT_DIR. */
  readonly agentDir: string;
  readonly monitor: HostMonitor;
}

export type CleanUp = (step: () => unknown) => void;

/** @param dir of a user of the file's own */
export async function enterUser(
  dir: string,
  options: WorkbenchOptions,
  cleanUp: CleanUp,
): Promise<User> {
  const shared = inject('users');
  if (!shared || needsOwnServer(options)) {
    return startUser(dir, options, cleanUp);
  }
  const worker = Number(process.env.VITEST_POOL_ID) - 1;
  const user = shared[worker % shared.length];
  if (!user) {
    throw new Error('No VS Code was started.');
  }
  makeNew(user.dir, options);
  const browser = await chromium.connect(user.browserUrl);
  cleanUp(() => browser.close());
  const monitor = new HostMonitor(join(user.dir, 'monitor.jsonl'));
  return { dir: user.dir, url: user.url, browser, agentDir: join(user.dir, 'agent'), monitor };
}

function needsOwnServer(options: WorkbenchOptions): boolean {
  const { env, otherExtensions = [], languagePack, withExtension = true, isWatched } = options;
  return (
    options.hasOwnServer === true ||
    options.under !== undefined ||
    env !== undefined ||
    otherExtensions.length > 0 ||
    languagePack !== undefined ||
    !withExtension ||
    isWatched === true
  );
}

/** What calls were given and gave is read in many journeys; that they stand in one line each is looked at in `pages`. */
export const readCards = { 'piMcp.agent.cards': 'full' };

/** What VS Code keeps of a user is in these folders and in the browser's context. */
function makeNew(dir: string, { settings }: WorkbenchOptions): void {
  // a file that was broken off
  killProcesses(findProcesses(dir).filter(({ command }) => /=extensionHost/.test(command)));
  for (const name of ['user-data/User', 'user-data/Machine', 'home', 'agent', 'monitor.jsonl']) {
    rmSync(join(dir, name), { recursive: true, force: true, maxRetries: 5 });
  }
  createProfile(dir, { settings: { ...readCards, ...settings } });
}

async function startUser(dir: string, options: WorkbenchOptions, cleanUp: CleanUp): Promise<User> {
  ensureCodeServer();
  mkdirSync(dir);
  const agentDir = join(dir, 'agent');
  const monitor = new HostMonitor(join(dir, 'monitor.jsonl'));
  const { otherExtensions = [], withExtension = true, languagePack, isWatched } = options;
  const profile = createProfile(dir, {
    settings: { ...readCards, ...options.settings },
    env: {
      PI_CODING_AGENT_DIR: agentDir,
      ...(isWatched && monitor.environment()),
      ...options.env,
    },
  });
  const isPlain = withExtension && otherExtensions.length === 0 && !languagePack;
  if (!isPlain) {
    if (withExtension) {
      ensureVsix();
    }
    installExtensions(profile, [
      ...(withExtension ? [vsixPath] : []),
      ...[...otherExtensions, ...(languagePack ? [languagePack] : [])].map(packageExtension),
      ensureMonitor(),
    ]);
  }
  const server = await startCodeServer(
    isPlain ? { ...profile, extensionsDir: ensureInstalled() } : profile,
    {
      args: languagePack ? useLanguagePack(profile, languagePack) : [],
      under: options.under ?? [],
    },
  );
  cleanUp(() => server.child.stop());
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: [...windowArgs],
  });
  cleanUp(() => browser.close());
  return { dir, url: server.url, browser, agentDir, monitor };
}
