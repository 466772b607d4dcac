/** Records which files Node is asked about, with links followed as the system would follow them. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** These look at the link itself; every other call follows it. */
const ofTheLink = /^(lstat|readlink|unlink|rename|rm|lchown|lutimes)/;
// taken before anything is replaced
const { lstatSync, readlinkSync } = fs;

export interface FileLookups {
  /** Every place that was touched on the way to what was asked for, links resolved. */
  readonly touched: ReadonlySet<string>;
  stop(): void;
}

type Call = (...args: unknown[]) => unknown;

/** Until {@link FileLookups.stop}. Sees all code of this process that asks `node:fs` or `node:fs/promises`. */
export function recordFileLookups(): FileLookups {
  const touched = new Set<string>();
  const undo = [fs.promises, fs].flatMap((module) => {
    const methods = module as unknown as Record<string, Call>;
    return Object.keys(methods)
      .filter((name) => /^[a-z]/.test(name) && typeof methods[name] === 'function')
      .filter(
        (name) =>
          !/^(promises|symlink|close|read|write|fstat|ftruncate|fsync|fchmod)(v?(Sync)?)$/.test(
            name,
          ),
      )
      .map((name) => replace(methods, name, touched));
  });
  syncBuiltinESMExports();
  return {
    touched,
    stop() {
      for (const restore of undo) {
        restore();
      }
      syncBuiltinESMExports();
    },
  };
}

function replace(methods: Record<string, Call>, name: string, touched: Set<string>): () => void {
  const original = methods[name] as Call;
  const recording = function (this: unknown, ...args: unknown[]) {
    const path = toPath(args[0]);
    if (path !== undefined) {
      follow(path, ofTheLink.test(name), touched);
    }
    return Reflect.apply(original, this, args);
  };
  methods[name] = Object.assign(recording, original);
  return () => {
    methods[name] = original;
  };
}

function toPath(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return value;
  }
  return value instanceof URL && value.protocol === 'file:' ? fileURLToPath(value) : undefined;
}

/** Goes the way that the system goes, one link after the other. */
function follow(path: string, isLinkItself: boolean, touched: Set<string>, links = 0): void {
  const absolute = resolve(path);
  const parent = dirname(absolute);
  const directory = parent === absolute ? absolute : realDirectory(parent, touched, links);
  const place = parent === absolute ? absolute : join(directory, basename(absolute));
  touched.add(place);
  const target = isLinkItself || links > 40 ? undefined : targetOf(place);
  if (target !== undefined) {
    follow(resolve(directory, target), false, touched, links + 1);
  }
}

function realDirectory(path: string, touched: Set<string>, links: number): string {
  const parent = dirname(path);
  if (parent === path) {
    return path;
  }
  const place = join(realDirectory(parent, touched, links), basename(path));
  touched.add(place);
  const target = links > 40 ? undefined : targetOf(place);
  return target === undefined
    ? place
    : realDirectory(resolve(dirname(place), target), touched, links + 1);
}

function targetOf(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    // not there
    return undefined;
  }
}
