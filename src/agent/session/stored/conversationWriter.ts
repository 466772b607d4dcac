/**
 * Writes what a conversation says to its file, in the place of Pi, which would throw what it could not append and go on
 * behind the gap. What cannot be written waits, and everything after it; a reader thus never meets an entry before the
 * one that it follows. Pi would begin a file with the first answer; here it begins with the first request, which a crash
 * must not take. One that vanished is written whole again.
 */
import { appendFileSync, existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Disposable } from '../../../base/disposable.js';
import { Emitter } from '../../../base/event.js';
import { flushFile } from '../../../platform/stores/storedFile.js';
import { countRequests } from '../../context/spending.js';
import type { PiSessionEntry, PiSessionManager } from '../../pi/piModule.js';
import { type OutsideWrites, outsideWrites } from './outsideWrites.js';

/** Milliseconds. */
const firstRetryMs = 1000;
const maxRetryMs = 30_000;

export class ConversationWriter implements Disposable {
  private readonly changeEmitter = new Emitter<void>();
  private seen: FileSight | undefined;
  /** In order, without what the file has. */
  private readonly waiting: PiSessionEntry[] = [];
  private failed: { readonly error: unknown } | undefined;
  /** The file may not end with a whole line. */
  private isTailCut = false;
  private mayHaveOthers = false;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private retries = 0;
  private isDisposed = false;

  /** {@link failure} is another. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly manager: PiSessionManager) {
    this.seen = look(manager.getSessionFile());
    manager._persist = (entry) => {
      this.waiting.push(entry);
      this.write();
    };
  }

  /** Why something waits; `undefined`: the file has everything. */
  get failure(): { readonly error: unknown } | undefined {
    return this.failed;
  }

  /** What the file does not have, in order, once something was said in it. */
  get unwritten(): readonly PiSessionEntry[] {
    const isSaid = this.waiting.some(({ type }) => type === 'message');
    return isSaid || this.failed ? this.waiting : [];
  }

  /** What the conversation said before it was opened again, and could not write: it stands behind what the file has. */
  takeUp(unsaved: readonly PiSessionEntry[]): void {
    for (const entry of unsaved.filter(({ id }) => !this.manager.getEntry(id))) {
      // Pi has no other way for an entry that exists
      (this.manager as unknown as Appending)._appendEntry(entry);
    }
  }

  /** Tries again now. */
  write(): void {
    clearTimeout(this.retryTimer);
    const before = this.failed;
    try {
      this.writeWaiting();
      this.failed = undefined;
      this.retries = 0;
    } catch (error) {
      this.failed = { error };
      this.isTailCut = true;
      this.retryLater();
    }
    if (this.failed !== before) {
      this.changeEmitter.fire();
    }
  }

  /** What another program wrote; call while nothing runs. `undefined`: nothing, or it is not the time to say so. */
  findOutside(): OutsideWrites | undefined {
    const path = this.manager.getSessionFile();
    const now = look(path);
    const isAsSeen = now?.size === this.seen?.size && !this.mayHaveOthers;
    if (path === undefined || !now || isAsSeen || this.failed) {
      return undefined;
    }
    const found = readOutside(path, this.manager);
    if (!found) {
      this.mayHaveOthers = false;
      this.seen = now;
    }
    return found;
  }

  /** Tries for the last time. */
  dispose(): void {
    if (this.failed) {
      this.write();
    }
    this.isDisposed = true;
    clearTimeout(this.retryTimer);
    this.changeEmitter.dispose();
  }

  private writeWaiting(): void {
    const path = this.manager.getSessionFile();
    const now = look(path);
    if (
      path === undefined ||
      (!now && !this.seen && countRequests(this.manager.getEntries()) === 0)
    ) {
      return;
    }
    if (now && this.seen && isGrown(this.seen, now)) {
      this.append(path, now.size);
      return;
    }
    const others = now ? (outsideWrites(path, this.manager)?.lines ?? []) : [];
    writeWhole(this.manager, path, others);
    this.waiting.length = 0;
    this.isTailCut = false;
    this.mayHaveOthers ||= others.length > 0;
    this.seen = look(path);
  }

  private append(path: string, size: number): void {
    this.noteOthers(size !== this.seen?.size);
    let written = size;
    for (let entry = this.waiting[0]; entry; entry = this.waiting[0]) {
      // behind half a line it would be none; an empty one is skipped
      const line = `${this.isTailCut ? '\n' : ''}${JSON.stringify(entry)}\n`;
      appendFileSync(path, line);
      this.waiting.shift();
      this.isTailCut = false;
      written += Buffer.byteLength(line);
    }
    this.seen = look(path);
    this.noteOthers(this.seen?.size !== written);
  }

  private noteOthers(haveWritten: boolean): void {
    this.mayHaveOthers ||= haveWritten;
    this.isTailCut ||= haveWritten;
  }

  private retryLater(): void {
    if (!this.isDisposed) {
      const delayMs = Math.min(maxRetryMs, firstRetryMs * 2 ** this.retries++);
      this.retryTimer = setTimeout(() => this.write(), delayMs);
      this.retryTimer.unref();
    }
  }
}

interface Appending {
  _appendEntry(entry: PiSessionEntry): void;
}

/** Pi begins a file with the first answer; a copy may end before it. */
export function writeUnwritten(manager: PiSessionManager): void {
  const path = manager.getSessionFile();
  if (path !== undefined && !existsSync(path)) {
    writeWhole(manager, path);
  }
}

/** @param others lines that stay although they are not ours */
function writeWhole(manager: PiSessionManager, path: string, others: readonly string[] = []): void {
  const lines = [
    JSON.stringify(manager.getHeader()),
    ...others,
    ...manager.getEntries().map((entry) => JSON.stringify(entry)),
  ];
  // at once, since Pi may append next; only what stands there already waits for the disk before it is replaced
  const whole = `${path}.whole`;
  const text = lines.map((line) => `${line}\n`).join('');
  try {
    writeFileSync(whole, text, { mode: 0o600, flush: existsSync(path) });
    renameSync(whole, path);
  } catch (error) {
    rmSync(whole, { force: true });
    throw error;
  }
  void flushFile(path);
}

function readOutside(path: string, manager: PiSessionManager): OutsideWrites | undefined {
  try {
    return outsideWrites(path, manager);
  } catch {
    // no conversation any more, or not to be read
    return undefined;
  }
}

interface FileSight {
  readonly inode: number;
  readonly size: number;
}

function look(path: string | undefined): FileSight | undefined {
  const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
  return stats && { inode: stats.ino, size: stats.size };
}

/** A new file may have the number of a deleted one, but hardly its size. */
function isGrown(before: FileSight, now: FileSight): boolean {
  return now.inode === before.inode && now.size >= before.size;
}
