/** What the user has written in a conversation and not sent yet, in a file beside it, so that no crash takes it. */
import { rm } from 'node:fs/promises';
import { Sequencer } from '../../base/async/sequencer.js';
import { isJsonObject } from '../../base/json.js';
import { readTextFile } from '../../platform/boundedFile.js';
import { writeFileAtomic } from '../../platform/stores/storedFile.js';
import type { DraftView } from '../../protocol/drafts.js';

const draftSuffix = '.draft';

export function conversationDraftPath(conversationFile: string): string {
  return conversationFile + draftSuffix;
}

export class DraftFile {
  private readonly writes = new Sequencer();
  private current: DraftView | undefined;
  private hasFile: boolean;

  private constructor(
    private readonly path: string,
    stored: DraftView | undefined,
  ) {
    this.current = stored;
    this.hasFile = stored !== undefined;
  }

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
    await this.writes.queue(() => this.write());
  }

  private async write(): Promise<void> {
    const { current, path } = this;
    if (current && current.text !== '') {
      this.hasFile = true;
      await writeFileAtomic(path, JSON.stringify(current));
    } else if (this.hasFile) {
      await rm(path, { force: true });
      this.hasFile = false;
    }
  }
}

async function readDraft(path: string): Promise<DraftView | undefined> {
  try {
    const value: unknown = JSON.parse(await readTextFile(path));
    const { text, writtenAt } = isJsonObject(value) ? value : {};
    return typeof text === 'string' && typeof writtenAt === 'number'
      ? { text, writtenAt }
      : undefined;
  } catch {
    // nothing was written
    return undefined;
  }
}
