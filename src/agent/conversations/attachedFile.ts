/** What the user attached to a message that is not sent yet, in a file beside the conversation. */
import { rm } from 'node:fs/promises';
import { Sequencer } from '../../base/async/sequencer.js';
import { readTextFile } from '../../platform/boundedFile.js';
import { writeFileAtomic } from '../../platform/stores/storedFile.js';

/** Bytes: the images of one message, as Base64. */
const maxFileBytes = 200 * 1024 * 1024;

export function attachedPath(conversationFile: string): string {
  return `${conversationFile}.attached`;
}

/** Writes in order, whatever the file. */
export class AttachedFiles {
  private readonly writes = new Sequencer();

  /** @param list no entry: the file goes. Resolves when the disk has it. */
  write(conversationFile: string, list: readonly unknown[]): Promise<void> {
    const path = attachedPath(conversationFile);
    return this.writes.queue(async () => {
      if (list.length === 0) {
        await rm(path, { force: true });
      } else {
        await writeFileAtomic(path, JSON.stringify(list));
      }
    });
  }

  /** `undefined`: nothing was attached. */
  async read(conversationFile: string): Promise<unknown> {
    try {
      return JSON.parse(await readTextFile(attachedPath(conversationFile), maxFileBytes));
    } catch {
      // nothing was written
      return undefined;
    }
  }
}
