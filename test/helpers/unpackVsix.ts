import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { vsixPath } from '../workbench/paths.mjs';
import { ensureVsix } from '../workbench/vsix.mjs';

/** The package in a folder of its own, where no `node_modules` is near; the caller removes `dir`. */
export function unpackVsix(): {
  readonly dir: string;
  readonly extensionDir: string;
  readonly files: Readonly<Record<string, Uint8Array>>;
} {
  ensureVsix();
  const files = unzipSync(readFileSync(vsixPath));
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'pi-mcp-package-')));
  for (const [path, content] of Object.entries(files)) {
    if (!path.endsWith('/')) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), content);
    }
  }
  return { dir, extensionDir: join(dir, 'extension'), files };
}
