/** The programs that Pi's grep and find run: the ripgrep of code-server, and `find` under the name and options of fd. */
import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { workbenchDir } from '../../workbench/paths.mjs';

// `fd … -- pattern folder`; neither follows links
const fdScript = `#!/bin/sh
while [ "$1" != "--" ]; do shift; done
exec find "$3" -name "$2"
`;

/** Puts them on the path of this test file. */
export function useSearchPrograms(): void {
  const before = process.env.PATH;
  let folder: string | undefined;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pi-mcp-search-'));
    const found = globSync('node_modules/code-server/lib/vscode/**/@vscode/ripgrep*/**/rg', {
      cwd: workbenchDir,
    }).find((path) => runs(join(workbenchDir, path)));
    if (found === undefined) {
      throw new Error('code-server, which the ring installs, has no ripgrep for this machine');
    }
    symlinkSync(join(workbenchDir, found), join(folder, 'rg'));
    writeFileSync(join(folder, 'fd'), fdScript);
    chmodSync(join(folder, 'fd'), 0o755);
    process.env.PATH = [folder, before].join(delimiter);
  });
  afterAll(() => {
    process.env.PATH = before;
    if (folder !== undefined) {
      rmSync(folder, { recursive: true });
    }
  });
}

function runs(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    // for another kind of machine
    return false;
  }
}
