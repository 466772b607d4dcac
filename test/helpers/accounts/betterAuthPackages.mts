/** better-auth, which has more dependencies than a development dependency should; fetched once, before the tests. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from '../../workbench/packages.mjs';
import { workbenchDir } from '../../workbench/paths.mjs';

const version = '1.7.5';
const prefix = join(workbenchDir, `better-auth-${version}`);

export const betterAuthModules = join(prefix, 'node_modules');

/** Of vitest. */
export default function setup(): void {
  if (!existsSync(prefix)) {
    const unfinished = `${prefix}.${process.pid}`;
    try {
      installPackages(unfinished, [
        `better-auth@${version}`,
        `@better-auth/oauth-provider@${version}`,
      ]);
      renameSync(unfinished, prefix);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
}
