/** Counts how often files are opened, of those modules that are imported after this one. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { open } = fs;
const times = new Map</* path */ string, number>();

fs.open = ((path: string, ...rest: unknown[]) => {
  times.set(path, (times.get(path) ?? 0) + 1);
  return Reflect.apply(open, fs, [path, ...rest]);
}) as typeof open;
syncBuiltinESMExports();

export function timesOpened(path: string): number {
  return times.get(path) ?? 0;
}
