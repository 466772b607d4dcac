/** What the user has written in a conversation and not sent yet, in a file beside it, so that no crash takes it. */
import { Sequencer } from '../../base/async/sequencer.js';
import { asObject } from '../../base/json.js';
import { readJsonFile, writeJsonFile } from '../../platform/stores/jsonFile.js';
import type { DraftView } from '../../protocol/drafts.js';

const draftSuffix = '.draft';

export function conversationDraftPath(conversationFile: string): string {
  return conversationFile + draftSuffix;
}

export class DraftFile {
  private readonly writes = new Sequencer();

  private constructor(
    private readonly path: string,
    private current: DraftView | undefined,
  ) {}

  static async open(conversationFile: string): Promise<DraftFile> {
    const path = conversationDraftPath(conversationFile);
    return new DraftFile(path, await readDraft(path));
  }

  get value(): DraftView | undefined {
    return this.current;
  }

  /** What was written earlier than what is here comes too late. Resolves when the disk has the latest. */
  async keep(draft: DraftView): Promise<void> {
    if (this.current && draft.writtenAt < this.current.writtenAt) {
      return;
    }
    this.current = draft;
    await this.writes.queue(() => {
      const { current } = this;
      return writeJsonFile(this.path, current?.text ? current : undefined);
    });
  }
}

async function readDraft(path: string): Promise<DraftView | undefined> {
  const value = await readJsonFile(path);
  const { text, writtenAt } = asObject(value);
  return typeof text === 'string' && typeof writtenAt === 'number'
    ? { text, writtenAt }
    : undefined;
}
