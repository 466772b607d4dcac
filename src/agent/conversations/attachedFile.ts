/** What the user attached to a message that is not sent yet, in a file beside the conversation. */
import { Sequencer } from '../../base/async/sequencer.js';
import { readJsonFile, writeJsonFile } from '../../platform/stores/jsonFile.js';

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
    return this.writes.queue(() => writeJsonFile(path, list.length > 0 ? list : undefined));
  }

  /** `undefined`: nothing was attached. */
  read(conversationFile: string): Promise<unknown> {
    return readJsonFile(attachedPath(conversationFile), maxFileBytes);
  }
}
