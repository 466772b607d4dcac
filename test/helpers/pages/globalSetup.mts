/** Builds the pages once, and starts a browser for each worker. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { ensureChromium } from '../../workbench/chromium.mjs';
import { buildPages } from './build.mjs';
import { browserArgs } from './stage.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Missing outside of the ring `pages`. */
    readonly pages?: {
      readonly dir: string;
      /** Where the browser of each worker listens. */
      readonly browsers: readonly string[];
    };
  }
}

export default async function setup({ config, provide }: TestProject) {
  const dir = mkdtempSync(join(tmpdir(), 'pi-mcp-pages-'));
  const [executablePath] = await Promise.all([ensureChromium(), buildPages(dir)]);
  const servers = await Promise.all(
    Array.from({ length: config.maxWorkers }, () =>
      chromium.launchServer({ executablePath, args: [...browserArgs], host: '127.0.0.1' }),
    ),
  );
  provide('pages', { dir, browsers: servers.map((server) => server.wsEndpoint()) });
  return async () => {
    await Promise.all(servers.map((server) => server.close()));
    rmSync(dir, { recursive: true, force: true });
  };
}
