import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The texts of all files of TypeScript in a folder. */
export function readSources(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
}
