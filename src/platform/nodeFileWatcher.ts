/**
 * File watching with Node alone, for the CLI and for files outside of the workspace. `fs.watch` on the directory sees
 * creation and atomic-rename saves; a poll is the safety net where it is silent (network drives, lost events). It gets
 * slower while events tell of every change, since it is what an idle window would cost most.
 */
import { type FSWatcher, watch } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Disposable } from '../base/disposable.js';
import { type Clock, systemClock } from './clock.js';
import { pathInFolder } from './folderPath.js';
import type { FileWatch, FileWatcher } from './ports.js';
import { realPath } from './realPath.js';

export interface NodeFileWatcherOptions {
  /** Milliseconds between polls, where events cannot be relied on. Default 2000. */
  readonly pollMs?: number;
  /** When to poll. Default: the system's. */
  readonly clock?: Clock;
}

export class NodeFileWatcher implements FileWatcher {
  constructor(private readonly options: NodeFileWatcherOptions = {}) {}

  watch(path: string, onDidChange: () => void, within?: string): FileWatch {
    const { pollMs = 2000, clock = systemClock } = this.options;
    const watched = new WatchedFile(path, onDidChange, { pollMs, clock, within });
    watched.start();
    return watched;
  }
}

const rearmDelayMs = 200;
/** How many times slower than elsewhere it polls at last what events tell of. */
const slowestPoll = 8;

interface WatchedFileOptions {
  readonly pollMs: number;
  readonly clock: Clock;
  readonly within: string | undefined;
}

/** `gone`: the watch was disposed of, and nothing is looked at any more. */
type Check = { readonly kind: 'none' | 'gone' } | RunningCheck;

interface RunningCheck {
  readonly kind: 'running';
  /** The poll alone asked for it. */
  isPolled: boolean;
  /** Something may have happened since it looked. */
  isStale: boolean;
}

/** One watched path: handles on the directories that decide what it holds, and the last seen signature. */
class WatchedFile implements FileWatch {
  private handles: FSWatcher[] = [];
  /** What the handles watch, all of them; they are opened anew when it differs. */
  private armed: { readonly places: string; isSilent: boolean } | undefined;
  private signature: string | undefined;
  private poll: Disposable | undefined;
  private pauseMs: number;
  private rearmTimer: Disposable | undefined;
  private check: Check = { kind: 'none' };
  private begin: () => void = () => undefined;
  readonly begun = new Promise<void>((resolve) => {
    this.begin = resolve;
  });

  constructor(
    private readonly path: string,
    private readonly onDidChange: () => void,
    private readonly options: WatchedFileOptions,
  ) {
    this.pauseMs = options.pollMs;
  }

  start(): void {
    this.requestCheck();
  }

  dispose(): void {
    this.check = { kind: 'gone' };
    this.begin();
    this.poll?.dispose();
    this.rearmTimer?.dispose();
    this.disarm();
  }

  private schedulePoll(): void {
    const { pollMs, clock } = this.options;
    // no event tells of all changes where the place is another machine's, or a poll has found one
    const slowestMs = this.armed?.isSilent === false ? pollMs * slowestPoll : pollMs;
    const pauseMs = Math.min(this.pauseMs, slowestMs);
    this.pauseMs = pauseMs * 2;
    this.poll?.dispose();
    this.poll = clock.after(pauseMs, () => this.requestCheck('poll'));
  }

  private onEvent(): void {
    this.pauseMs = this.options.pollMs;
    this.requestCheck('event');
  }

  /** Runs one check at a time and one more when events came in meanwhile. */
  private requestCheck(by?: 'poll' | 'event'): void {
    if (this.check.kind === 'running') {
      this.check.isStale = true;
      this.check.isPolled &&= by === undefined;
    } else if (this.check.kind === 'none') {
      const check: RunningCheck = { kind: 'running', isPolled: by === 'poll', isStale: false };
      this.check = check;
      void this.checkUntilQuiet(check).finally(() => {
        if (!this.isDisposed) {
          this.check = { kind: 'none' };
          this.schedulePoll();
        }
      });
    }
  }

  private get isDisposed(): boolean {
    return this.check.kind === 'gone';
  }

  private async checkUntilQuiet(check: RunningCheck): Promise<void> {
    do {
      check.isStale = false;
      const { places, signature } = await this.look();
      this.signature ??= signature;
      this.begin();
      const isNew = await this.rearm(places);
      if (this.isDisposed) {
        return;
      }
      // something may have changed between the look and the watch; where there is none, the poll finds it
      check.isStale ||= isNew;
      if (signature !== this.signature) {
        this.signature = signature;
        if (this.armed && check.isPolled) {
          this.armed.isSilent = true;
        }
        this.onDidChange();
      }
      check.isPolled = false;
    } while (check.isStale && !this.isDisposed);
  }

  /** Where the file can change, and what it is now. */
  private async look() {
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

  /** Watches the directories of the places, or the nearest directory that exists. @returns whether it did not before */
  private async rearm(paths: readonly string[]): Promise<boolean> {
    const places = await Promise.all([...new Set(paths)].map(nearestDirectory));
    const key = places.map((place) => place.signature).join('|');
    if (this.isDisposed || key === this.armed?.places) {
      return false;
    }
    const isSilent = (await Promise.all(places.map(isOfAnotherMachine))).includes(true);
    if (this.isDisposed) {
      return false;
    }
    this.disarm();
    this.armed = { places: key, isSilent };
    for (const place of places) {
      this.arm(place);
    }
    return this.armed !== undefined;
  }

  private arm(place: WatchPlace): void {
    try {
      const handle = watch(place.directory, { persistent: false }, (_event, name) => {
        if (name === null || name === place.child || name === basename(place.directory)) {
          this.onEvent();
        }
      });
      handle.on('error', () => this.rearmSoon());
      this.handles.push(handle);
    } catch {
      // the directory vanished or the system is out of watches: the poll goes on
      this.armed = undefined;
    }
  }

  /** Later, because a watch that fails again at once would keep the process busy. */
  private rearmSoon(): void {
    this.disarm();
    this.rearmTimer?.dispose();
    this.rearmTimer = this.options.clock.after(rearmDelayMs, () => this.requestCheck());
  }

  private disarm(): void {
    this.armed = undefined;
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

/** File systems of Linux that others change too, by their numbers in statfs(2): NFS, SMB, CIFS, 9P, FUSE and the like. */
const sharedFileSystems = new Set([
  0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x01021997, 0x65735546, 0x786f4256, 0x7c7c6673,
  0x00c36400, 0x5346414f, 0x73757245,
]);

/** Whether the system may not be told of changes there. */
async function isOfAnotherMachine({ directory }: WatchPlace): Promise<boolean> {
  const type = (await statfs(directory).catch(() => undefined))?.type;
  return (
    type === undefined || sharedFileSystems.has(type) || /^(?:\/Volumes\/|\\\\)/.test(directory)
  );
}

async function fileSignature(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found
    ? `${found.dev}:${found.ino}:${found.size}:${found.mtimeMs}:${found.ctimeMs}`
    : 'missing';
}
