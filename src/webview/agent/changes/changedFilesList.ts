/** Which of the changed files the user has unfolded, and the parts of those. */
import type { ChangesView, HunkView } from '../../../protocol/fileChanges.js';

export interface UnfoldedChanges {
  /** The list of files. */
  readonly isOpen: boolean;
  readonly hunks: ReadonlyMap</* file id */ string, readonly HunkView[]>;
}

export const foldedChanges: UnfoldedChanges = { isOpen: false, hunks: new Map() };

/** The part of the page that asks the extension. */
interface Requests {
  run(
    work: (
      send: (type: 'changedFile', params: { id: string }) => Promise<readonly HunkView[]>,
    ) => Promise<unknown>,
  ): Promise<boolean>;
}

export class ChangedFilesList {
  private current = foldedChanges;
  private view: ChangesView | undefined;

  constructor(
    private readonly page: Requests,
    private readonly onDidChange: (changes: UnfoldedChanges) => void,
  ) {}

  toggleList(): void {
    this.set({ isOpen: !this.current.isOpen });
  }

  /** Shows the parts of a file, or hides them. */
  async toggle(id: string): Promise<void> {
    await (this.current.hunks.has(id) ? this.setHunks(id, undefined) : this.readHunks(id));
  }

  /** What is unfolded may be another by now. */
  follow(view: ChangesView | undefined): void {
    const isOther = view?.stamp !== this.view?.stamp;
    this.view = view;
    for (const id of isOther ? this.current.hunks.keys() : []) {
      void this.readHunks(id);
    }
  }

  private async readHunks(id: string): Promise<void> {
    if (!this.view?.files.some((file) => file.id === id)) {
      this.setHunks(id, undefined);
      return;
    }
    await this.page.run(async (send) => this.setHunks(id, await send('changedFile', { id })));
  }

  private setHunks(id: string, found: readonly HunkView[] | undefined): void {
    const hunks = new Map(this.current.hunks);
    if (found) {
      hunks.set(id, found);
    } else {
      hunks.delete(id);
    }
    this.set({ hunks });
  }

  private set(change: Partial<UnfoldedChanges>): void {
    this.current = { ...this.current, ...change };
    this.onDidChange(this.current);
  }
}
