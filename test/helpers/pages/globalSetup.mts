/** Builds the pages once for all workers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { ensureChromium } from '../../workbench/chromium.mjs';
import { buildPages } from './build.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Missing outside of the ring `pages`. */
    readonly pages?: {
      readonly dir: string;
      readonly executablePath: string;
    };
  }
}

export default async function setup({ provide }: TestProject) {
  const dir = mkdtempSync(join(tmpdir(), 'pi-mcp-pages-'));
  const [executablePath] = await Promise.all([ensureChromium(), buildPages(dir)]);
  provide('pages', { dir, executablePath });
  return () => rmSync(dir, { recursive: true, force: true });
}
