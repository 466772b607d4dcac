/** Files that the agent changes, with what the log of its conversation says of them. */
import * as l10n from '@vscode/l10n';
import { ChangeLog, changesFolder } from './changeLog.js';
import type { ChangeEntry, ChangeState } from './changeState.js';
import type { Link, Links } from './history.js';
import type { EditedFiles } from './ports.js';
import { baselineOf, type LoadedLink, planUndo } from './undo.js';
import { type Content, sameContent, unread, type Version } from './version.js';

export interface RecordedFilesOptions {
  readonly files: EditedFiles;
  readonly onError: (error: unknown) => void;
}

export class RecordedFiles {
  private log: ChangeLog | undefined;

  /** As the user sees them. */
  readonly files: EditedFiles;

  constructor(private readonly options: RecordedFilesOptions) {
    this.files = options.files;
  }

  async open(conversationFile: string): Promise<ChangeState> {
    this.log = await ChangeLog.open(changesFolder(conversationFile));
    return this.log.state;
  }

  /** `undefined` before it is open. */
  get state(): ChangeState | undefined {
    return this.log?.state;
  }

  async loadLinks(path: string): Promise<readonly LoadedLink[]> {
    return await this.loaded(this.state?.files.get(path) ?? []);
  }

  async loaded(links: Links): Promise<readonly LoadedLink[]> {
    return await Promise.all(
      links.map(async ({ before, after, isMixed }) => ({
        before: await this.load(before),
        after: await this.load(after),
        isMixed,
      })),
    );
  }

  async load(version: Version): Promise<Content> {
    return (await this.log?.blobs.load(version)) ?? 'unread';
  }

  /** `unread` where it cannot be stored: the agent goes on, and the user is told that there is no undo. */
  async store(content: Content): Promise<Version> {
    try {
      return (await this.log?.blobs.store(content)) ?? unread;
    } catch (error) {
      this.options.onError(error);
      return unread;
    }
  }

  async linkOf(
    before: Content,
    after: Content,
    { runs, isMixed }: { readonly runs: readonly number[]; readonly isMixed: boolean },
  ): Promise<readonly Link[]> {
    return sameContent(before, after)
      ? []
      : [
          {
            before: await this.store(before),
            after: await this.store(after),
            runs,
            isMixed: isMixed || undefined,
          },
        ];
  }

  /**
   * What stays under review of a file of which some runs were taken back.
   * @param links before that
   * @param runs those that stay
   * @param was what the file held before that
   * @param now what it holds
   */
  async linksLeft(
    links: Links,
    {
      runs,
      was,
      now,
    }: { readonly runs: readonly number[]; readonly was: Content; readonly now: Content },
  ): Promise<Links> {
    if (runs.length === 0) {
      return [];
    }
    const loaded = await this.loaded(links);
    const isMixed = planUndo(loaded, was).kind === 'conflict';
    return await this.linkOf(baselineOf(loaded, was), now, { runs, isMixed });
  }

  /** Holds in memory even where the disk is full. @returns whether the disk has it */
  async add(entry: ChangeEntry): Promise<boolean> {
    try {
      await this.log?.add(entry);
      return this.log !== undefined;
    } catch (error) {
      this.options.onError(error);
      return false;
    }
  }
}

export function notKept(): string {
  return l10n.t('What it holds now cannot be kept, so it could not be brought back.');
}
