/** Files that a line is known to write, and what would start for it. */
import { basename, join, resolve } from 'node:path';
import { addAll } from '../../../base/lists.js';
import { pathInFolder } from '../../../platform/folderPath.js';
import type { StartKind } from '../../../protocol/tools/approvalRules.js';
import { startedByWrite } from '../guardedPlaces.js';
import type { ShellCommand } from './shellCommand.js';
import { startsOf } from './wordPlaces.js';

/** They write what every operand names. */
const writers: ReadonlySet<string> = new Set(['tee', 'touch', 'truncate']);
/** They write what their last operand names, or a file in it. */
const copiers: ReadonlySet<string> = new Set(['cp', 'mv', 'ln', 'install', 'rsync', 'scp']);

/** Characters of a line that is not understood. */
const maxSearched = 20_000;

/** @param commands without what wraps them; `undefined`: the line is not understood */
export async function startedByWrites(
  line: string,
  commands: readonly ShellCommand[] | undefined,
  folder: string,
): Promise<StartKind | undefined> {
  const starts = startsOf(commands ?? []) ?? [''];
  for (const name of new Set(commands?.flatMap(writtenBy) ?? namesBehindArrows(line))) {
    for (const start of starts) {
      const written = resolve(folder, start, name);
      const place = await pathInFolder(folder, written);
      const path = place.kind === 'inside' ? place.path : written;
      const kind = await startedByWrite(folder, { written, path });
      if (kind) {
        return kind;
      }
    }
  }
  return undefined;
}

function writtenBy({ words, targets }: ShellCommand): readonly string[] {
  const [program, ...rest] = words.map(({ value }) => value);
  const name = program?.split('/').at(-1) ?? '';
  const operands = rest.filter((one): one is string => one !== undefined && !/^-./.test(one));
  const redirected = targets.flatMap(({ value }) => value ?? []);
  const valued = rest.flatMap(
    (one) => /^(?:-t|--target-directory=|of=)(.+)/.exec(one ?? '')?.[1] ?? [],
  );
  if (writers.has(name)) {
    return [...redirected, ...operands];
  }
  if (name === 'dd') {
    return [...redirected, ...valued];
  }
  if (!copiers.has(name)) {
    return redirected;
  }
  const into = rest.findIndex((one) => one === '-t' || one === '--target-directory');
  const folders = [...valued, into === -1 ? operands.at(-1) : rest[into + 1]].flatMap(
    (one) => one ?? [],
  );
  const below = folders.flatMap((one) => operands.map((from) => join(one, basename(from))));
  return [...redirected, ...folders, ...below];
}

/** What looks like the target of a redirection, outside of the texts that the line itself brings along. */
function namesBehindArrows(line: string): readonly string[] {
  const target = />[>|&]?[ \t]*(?:"([^"]+)"|'([^']+)'|([^\s;&|<>()'"]+))/g;
  const names: string[] = [];
  let ends: readonly string[] = [];
  for (const one of line.slice(0, maxSearched).split('\n')) {
    if (ends.length > 0) {
      ends = one.trim() === ends[0] ? ends.slice(1) : ends;
      continue;
    }
    ends = [...one.matchAll(/<<-?[ \t]*["'\\]?([\w.-]+)/g)].flatMap(([, end]) => end ?? []);
    const found = [...one.matchAll(target)];
    addAll(
      names,
      found.flatMap(([, double, single, bare]) => double ?? single ?? bare ?? []),
    );
  }
  return names;
}
