import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Disposable } from '../../../src/base/disposable.js';

type Functions = Record<string, (...args: unknown[]) => unknown>;

/**
 * Notes every path that this process asks the file system about, through any function of `node:fs` and
 * `node:fs/promises`. What child processes ask is not seen. One at a time.
 */
export class Lookups implements Disposable {
  private readonly paths: string[] = [];
  private readonly restore: (() => void)[] = [];

  constructor() {
    this.tap(fs as unknown as Functions);
    this.tap(fs.promises as unknown as Functions);
    syncBuiltinESMExports();
  }

  /** Paths that hold the text, in order of the look-ups. */
  of(part: string): readonly string[] {
    return this.paths.filter((path) => path.includes(part));
  }

  dispose(): void {
    for (const restore of this.restore) {
      restore();
    }
    syncBuiltinESMExports();
  }

  private tap(functions: Functions): void {
    for (const [name, original] of Object.entries(functions)) {
      // classes and constants are no look-ups
      if (typeof original !== 'function' || !/^[a-z]/.test(name)) {
        continue;
      }
      const note = (path: unknown) => this.note(path);
      const tapped = function (this: unknown, ...args: unknown[]) {
        note(args[0]);
        return original.apply(this, args);
      };
      functions[name] = Object.assign(tapped, original);
      this.restore.push(() => {
        functions[name] = original;
      });
    }
  }

  private note(path: unknown): void {
    if (typeof path === 'string' || path instanceof URL || path instanceof Uint8Array) {
      this.paths.push(path instanceof Uint8Array ? Buffer.from(path).toString() : String(path));
    }
  }
}
