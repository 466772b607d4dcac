/** Which conversation each folder of a workspace shows, in a file of its own: it must outlive a window that closes at once. */
import { Sequencer } from '../../base/async/sequencer.js';
import { isJsonObject } from '../../base/json.js';
import { readTextFile } from '../../platform/boundedFile.js';
import { writeFileAtomic } from '../../platform/stores/storedFile.js';

export class ConversationMemory {
  private readonly writes = new Sequencer();
  private shown: Promise<Readonly<Record<string, unknown>>> | undefined;

  /** @param path absolute; may not exist */
  constructor(private readonly path: string) {}

  /** Name of the conversation's file. */
  async recall(folderKey: string): Promise<string | undefined> {
    const id = (await this.read())[folderKey];
    return typeof id === 'string' ? id : undefined;
  }

  remember(folderKey: string, conversationId: string | undefined): Promise<void> {
    return this.writes.queue(async () => {
      const shown = await this.read();
      if (shown[folderKey] !== conversationId) {
        const next = { ...shown, [folderKey]: conversationId };
        this.shown = Promise.resolve(next);
        await writeFileAtomic(this.path, JSON.stringify(next));
      }
    });
  }

  private read(): Promise<Readonly<Record<string, unknown>>> {
    this.shown ??= readShown(this.path);
    return this.shown;
  }
}

async function readShown(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readTextFile(path));
    return isJsonObject(value) ? value : {};
  } catch {
    // nothing was remembered yet
    return {};
  }
}
