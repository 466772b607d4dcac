// @ts-check
/** `npm run package`: the .vsix in the folder of the repository. `-- --sizes` lists its parts, the largest first. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { repository } from './paths.mjs';
import { packageVsix } from './vsix.mjs';

const { name, version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const vsix = join(repository, `${name}-${version}.vsix`);
packageVsix(repository, vsix, []);
if (process.argv.includes('--sizes')) {
  /** @type {{ name: string, size: number, originalSize: number }[]} */
  const parts = [];
  const content = readFileSync(vsix);
  unzipSync(content, { filter: (part) => parts.push(part) < 0 });
  const column = (/** @type {number | string} */ cell) => String(cell).padStart(10);
  console.log(`${column('packed')}${column('bytes')}  part`);
  for (const part of parts.sort((a, b) => b.size - a.size)) {
    console.log(`${column(part.size)}${column(part.originalSize)}  ${part.name}`);
  }
  console.log(`${column(content.length)}${column('')}  ${vsix}`);
}
