import type { Disposable } from '../../../src/base/disposable.js';
import { recordFileLookups } from '../fileLookups.js';

/**
 * Every place that this process asks the file system about, links followed as the system follows them. What child
 * processes ask is not seen. One at a time.
 */
export class Lookups implements Disposable {
  private readonly recording = recordFileLookups();

  /** Absolute paths that hold the text, in order of the first look at each. */
  of(part: string): readonly string[] {
    return [...this.recording.touched].filter((path) => path.includes(part));
  }

  dispose(): void {
    this.recording.stop();
  }
}
