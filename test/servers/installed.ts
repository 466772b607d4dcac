/** The programs of public servers, installed when they are first asked for. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from '../workbench/packages.mjs';
import { workbenchDir } from '../workbench/paths.mjs';
import type { PublicServer } from './servers.js';

const doneFile = '.installed';

/** Path of the script that Node runs. @throws when the package cannot be had or has no such program. */
export function programOf({ package: spec, bin }: PublicServer): string {
  const folder = join(workbenchDir, 'servers', spec.replaceAll('/', '+'));
  if (!existsSync(join(folder, doneFile))) {
    console.log(`Installing ${spec} …`);
    installPackages(folder, [spec]);
    writeFileSync(join(folder, doneFile), '');
  }
  const home = join(folder, 'node_modules', nameOf(spec));
  const manifest: { readonly bin?: string | Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(home, 'package.json'), 'utf8'),
  );
  const bins = typeof manifest.bin === 'string' ? { only: manifest.bin } : (manifest.bin ?? {});
  const script = bin === undefined ? Object.values(bins)[0] : bins[bin];
  if (script === undefined) {
    throw new Error(`${spec} has no program`);
  }
  return join(home, script);
}

/** Without its version. */
export function nameOf(spec: string): string {
  return spec.slice(0, spec.lastIndexOf('@'));
}
