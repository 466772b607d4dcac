import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from '../../base/async/once.js';
import { readTextFile } from '../../platform/boundedFile.js';

/** Characters of all files of one recording. */
const maxTotal = 64 * 1024 * 1024;

/** Large frames of one recording, masked, in files that only the user can read. */
export class WholeFrames {
  private folder: string | undefined;
  private readonly makeFolder = once(async () => {
    this.folder = await mkdtemp(join(tmpdir(), 'pi-mcp-frames-'));
    return this.folder;
  });
  private isDisposed = false;
  private readonly files = new Map<
    /* seq */ number,
    { readonly size: number; done: Promise<void> }
  >();
  private total = 0;

  keep(seq: number, text: string): void {
    if (this.isDisposed || text.length > maxTotal) {
      return;
    }
    this.total += text.length;
    for (const oldest of this.files.keys()) {
      if (this.total <= maxTotal) {
        break;
      }
      this.forget(oldest);
    }
    // a full disk costs the frame, nothing else
    const done = this.write(seq, text).catch(() => undefined);
    this.files.set(seq, { size: text.length, done });
  }

  async read(seq: number): Promise<string | undefined> {
    const file = this.files.get(seq);
    await file?.done;
    return file && this.folder !== undefined
      ? // it was written by us, or could not be
        readTextFile(join(this.folder, String(seq)), maxTotal * 4).catch(() => undefined)
      : undefined;
  }

  forgetBefore(seq: number): void {
    for (const one of this.files.keys()) {
      if (one >= seq) {
        return;
      }
      this.forget(one);
    }
  }

  /** Never rejects. */
  async dispose(): Promise<void> {
    this.isDisposed = true;
    const { files } = this;
    const pending = [...files.values()].map(({ done }) => done);
    files.clear();
    this.total = 0;
    await Promise.all(pending);
    if (this.folder !== undefined) {
      // the system clears its temporary folder
      await rm(this.folder, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  private async write(seq: number, text: string): Promise<void> {
    await writeFile(join(await this.makeFolder(), String(seq)), text, { mode: 0o600 });
  }

  private forget(seq: number): void {
    const file = this.files.get(seq);
    if (file) {
      this.files.delete(seq);
      this.total -= file.size;
      void file.done
        .then(async () => this.folder && rm(join(this.folder, String(seq)), { force: true }))
        .catch(() => undefined);
    }
  }
}
