import type { EditedFiles } from '../../../src/agent/changes/ports.js';
import { type Content, sameContent } from '../../../src/agent/changes/version.js';

/** Files of a user without a disk. */
export class MemoryFiles implements EditedFiles {
  private readonly contents = new Map<string, Buffer>();
  /** Paths that cannot be written. */
  readonly locked = new Set<string>();
  /** What happens between the decision and the writing. */
  beforeWrite = (): void => undefined;

  read(path: string): Promise<Content> {
    return Promise.resolve(this.contents.get(path) ?? 'absent');
  }

  async write(path: string, content: Buffer | 'absent', expected: Content): Promise<void> {
    this.beforeWrite();
    if (this.locked.has(path)) {
      throw new Error(`${path} is read-only.`);
    }
    if (!sameContent(await this.read(path), expected)) {
      throw new Error(`${path} was changed meanwhile.`);
    }
    this.set(path, content === 'absent' ? undefined : content);
  }

  /** As somebody else does it. `undefined` deletes. */
  set(path: string, content: string | Buffer | undefined): void {
    if (content === undefined) {
      this.contents.delete(path);
    } else {
      this.contents.set(path, Buffer.from(content));
    }
  }

  /** `undefined`: there is none. */
  text(path: string): string | undefined {
    return this.contents.get(path)?.toString();
  }
}
