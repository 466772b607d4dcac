/** The program that the agent's grep and find run: the ripgrep of code-server. */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { workbenchDir } from '../../workbench/paths.mjs';

/** Puts it on the path of this test file. */
export function useSearchProgram(): void {
  const before = process.env.PATH;
  beforeAll(() => {
    const found = globSync('node_modules/code-server/lib/vscode/**/@vscode/ripgrep*/**/rg', {
      cwd: workbenchDir,
    }).find((path) => runs(join(workbenchDir, path)));
    if (found === undefined) {
      throw new Error('code-server, which the ring installs, has no ripgrep for this machine');
    }
    process.env.PATH = [dirname(join(workbenchDir, found)), before].join(delimiter);
  });
  afterAll(() => {
    process.env.PATH = before;
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
