/**
 * File watching with Node alone, for the CLI and for files outside of the workspace. `fs.watch` on the directory sees
 * creation and atomic-rename saves; a slow poll is the safety net where it is silent (network drives, lost events).
 */
import { type FSWatcher, type Stats, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { pathInFolder } from './folderPath.js';
import type { FileWatch, FileWatcher } from './ports.js';
import { realPath } from './realPath.js';

export interface NodeFileWatcherOptions {
  /** Milliseconds between polls. Default 2000. */
  readonly pollMs?: number;
}

export class NodeFileWatcher implements FileWatcher {
  constructor(private readonly options: NodeFileWatcherOptions = {}) {}

  watch(path: string, onDidChange: () => void, within?: string): FileWatch {
    const pollMs = this.options.pollMs ?? 2000;
    const watched = new WatchedFile(path, onDidChange, { pollMs, within });
    watched.start();
    return watched;
  }
}

const rearmDelayMs = 200;

/** One watched path: handles on the directories that decide what it holds, and the last seen signature. */
class WatchedFile implements FileWatch {
  private handles: FSWatcher[] = [];
  /** What the handles watch; they are opened anew when it differs. */
  private armedFor: string | undefined;
  private signature: string | undefined;
  private poll: ReturnType<typeof setInterval> | undefined;
  private rearmTimer: ReturnType<typeof setTimeout> | undefined;
  private isChecking = false;
  private isCheckWanted = false;
  private isDisposed = false;
  private begin: () => void = () => undefined;
  readonly begun = new Promise<void>((resolve) => {
    this.begin = resolve;
  });

  constructor(
    private readonly path: string,
    private readonly onDidChange: () => void,
    private readonly options: { readonly pollMs: number; readonly within: string | undefined },
  ) {}

  start(): void {
    this.poll = setInterval(() => this.requestCheck(), this.options.pollMs);
    this.poll.unref();
    this.requestCheck();
  }

  dispose(): void {
    this.isDisposed = true;
    this.begin();
    clearInterval(this.poll);
    clearTimeout(this.rearmTimer);
    this.disarm();
  }

  /** Runs one check at a time and one more when events came in meanwhile. */
  private requestCheck(): void {
    this.isCheckWanted = true;
    if (!this.isChecking) {
      this.isChecking = true;
      void this.checkUntilQuiet().finally(() => {
        this.isChecking = false;
      });
    }
  }

  private async checkUntilQuiet(): Promise<void> {
    while (this.isCheckWanted && !this.isDisposed) {
      this.isCheckWanted = false;
      const { places, signature } = await this.look();
      this.signature ??= signature;
      this.begin();
      await this.rearm(places);
      if (this.isDisposed) {
        return;
      }
      if (signature !== this.signature) {
        this.signature = signature;
        this.onDidChange();
      }
    }
  }

  /** Where the file can change, and what it is now. */
  private async look(): Promise<{
    readonly places: readonly string[];
    readonly signature: string;
  }> {
    const { path } = this;
    const { within } = this.options;
    if (within === undefined) {
      const target = await realPath(path);
      return { places: [path, target], signature: await fileSignature(path) };
    }
    const found = await pathInFolder(within, path);
    return found.kind === 'inside'
      ? { places: [path, found.path], signature: await fileSignature(found.path) }
      : { places: [found.link ?? within], signature: `${found.link} leads to ${found.target}` };
  }

  /** Watches the directories of the places, or the nearest directory that exists. */
  private async rearm(paths: readonly string[]): Promise<void> {
    const places = await Promise.all([...new Set(paths)].map(nearestDirectory));
    const armedFor = places.map((place) => place.signature).join('|');
    if (this.isDisposed || armedFor === this.armedFor) {
      return;
    }
    this.disarm();
    this.armedFor = armedFor;
    for (const place of places) {
      this.arm(place);
    }
    // something may have changed between the look and the watch
    this.isCheckWanted = true;
  }

  private arm(place: WatchPlace): void {
    try {
      const handle = watch(place.directory, { persistent: false }, (_event, name) => {
        if (name === null || name === place.child || name === basename(place.directory)) {
          this.requestCheck();
        }
      });
      handle.on('error', () => this.rearmSoon());
      this.handles.push(handle);
    } catch {
      // the directory vanished or the system is out of watches: the poll goes on
      this.armedFor = undefined;
    }
  }

  /** Later, because a watch that fails again at once would keep the process busy. */
  private rearmSoon(): void {
    this.disarm();
    clearTimeout(this.rearmTimer);
    this.rearmTimer = setTimeout(() => this.requestCheck(), rearmDelayMs);
    this.rearmTimer.unref();
  }

  private disarm(): void {
    this.armedFor = undefined;
    for (const handle of this.handles.splice(0)) {
      handle.close();
    }
  }
}

interface WatchPlace {
  readonly directory: string;
  /** Name in the directory on the way to the file. */
  readonly child: string;
  /** Changes when the directory is another one, even under the same path. */
  readonly signature: string;
}

async function nearestDirectory(path: string): Promise<WatchPlace> {
  let child = path;
  for (;;) {
    const directory = dirname(child);
    const stats = await stat(directory).catch(() => undefined);
    if (stats?.isDirectory() || directory === child) {
      const signature = `${directory}\0${stats?.dev}:${stats?.ino}`;
      return { directory, child: basename(child), signature };
    }
    child = directory;
  }
}

async function fileSignature(path: string): Promise<string> {
  return stat(path).then(toSignature, () => 'missing');
}

function toSignature(stats: Stats): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
}
