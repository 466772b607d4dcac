/** Starts a VS Code and a browser for each worker, before any window; see `user.ts`. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { ensureChromium, windowArgs } from '../../workbench/chromium.mjs';
import {
  createProfile,
  ensureCodeServer,
  startCodeServer,
  useFewBuiltIns,
} from '../../workbench/codeServer.mjs';
import { ensureInstalled } from '../../workbench/vsix.mjs';

interface SharedUser {
  readonly dir: string;
  readonly url: string;
  /** Where its browser listens. */
  readonly browserUrl: string;
  readonly pids: readonly number[];
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** One for each worker; missing outside of the rings that share them. */
    readonly users?: readonly SharedUser[];
  }
}

export default async function setup({ config, provide }: TestProject) {
  ensureCodeServer();
  const extensionsDir = ensureInstalled();
  const executablePath = await ensureChromium();
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'pi-mcp-users-')));
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    await Promise.allSettled(stops.map((one) => one()));
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  };
  const start = async (name: string): Promise<SharedUser> => {
    const own = join(dir, name);
    mkdirSync(own);
    const env = { PI_CODING_AGENT_DIR: join(own, 'agent') };
    const profile = { ...createProfile(own, { env }), extensionsDir };
    const server = await startCodeServer(profile, { args: useFewBuiltIns(join(own, 'builtIn')) });
    stops.push(() => server.child.stop());
    const browser = await chromium.launchServer({
      executablePath,
      args: [...windowArgs],
      host: '127.0.0.1',
    });
    stops.push(() => browser.close());
    const pids = [server.child.pid, browser.process().pid].filter((pid) => pid !== undefined);
    return { dir: own, url: server.url, browserUrl: browser.wsEndpoint(), pids };
  };
  try {
    const names = Array.from({ length: config.maxWorkers }, (_none, index) => String(index));
    provide('users', await Promise.all(names.map(start)));
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
