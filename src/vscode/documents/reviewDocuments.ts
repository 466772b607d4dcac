import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { type CommandId, commandIds, reviewScheme } from '../../contributions.js';
import type { CommandHandlers } from '../registerCommand.js';

export type ReviewAnswer = 'servers' | 'folders';

interface Review {
  readonly uri: vscode.Uri;
  readonly text: string;
  readonly folders: number;
  readonly end: (answer: ReviewAnswer | undefined) => void;
}

/**
 * What waits for consent as a read-only document with the answers above its first line, in its title and in the palette.
 * What it shows never changes, so an answer is always about what was read.
 */
export class ReviewDocuments
  implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, Disposable
{
  private readonly store = new DisposableStore();
  private current: Review | undefined;
  private count = 0;

  readonly commands: CommandHandlers = {
    [commandIds.trustReviewedServers]: () => this.answer('servers'),
    [commandIds.trustReviewedFolders]: () => this.answer('folders'),
    [commandIds.leaveReview]: () => this.answer(undefined),
  };

  constructor() {
    const { workspace, languages, window } = vscode;
    this.store.add(workspace.registerTextDocumentContentProvider(reviewScheme, this));
    this.store.add(languages.registerCodeLensProvider({ scheme: reviewScheme }, this));
    this.store.add(
      window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some((tab) => this.isShownIn(tab))) {
          this.end(undefined);
        }
      }),
    );
  }

  /** Resolves when the user has answered or closed the document. Another review takes the place of this one. */
  async ask(text: string, folders: number): Promise<ReviewAnswer | undefined> {
    await this.close();
    const name = vscode.l10n.t('MCP Servers to Review');
    const uri = vscode.Uri.from({ scheme: reviewScheme, path: `/${++this.count}/${name}.diff` });
    const answer = new Promise<ReviewAnswer | undefined>((end) => {
      this.current = { uri, text, folders, end };
    });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
    return await answer;
  }

  get isOpen(): boolean {
    return this.current !== undefined;
  }

  async close(): Promise<void> {
    await this.answer(undefined);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    // a tab that VS Code restored is about what was asked then
    return this.current?.uri.toString() === uri.toString()
      ? this.current.text
      : vscode.l10n.t('This review is over. Review again to see what waits now.');
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const { current } = this;
    const top = new vscode.Range(0, 0, 0, 0);
    const lens = (title: string, command: CommandId) =>
      new vscode.CodeLens(top, { title, command });
    return current?.uri.toString() === uri.toString()
      ? [
          lens(vscode.l10n.t('Trust These Servers Only'), commandIds.trustReviewedServers),
          lens(
            current.folders === 1 ? vscode.l10n.t('Trust Folder') : vscode.l10n.t('Trust Folders'),
            commandIds.trustReviewedFolders,
          ),
          lens(vscode.l10n.t('Not Now'), commandIds.leaveReview),
        ]
      : [lens(vscode.l10n.t('Review Again…'), commandIds.reviewServers)];
  }

  dispose(): void {
    this.end(undefined);
    this.store.dispose();
  }

  private async answer(answer: ReviewAnswer | undefined): Promise<void> {
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter((tab) => this.isShownIn(tab));
    this.end(answer);
    await vscode.window.tabGroups.close(tabs);
  }

  private isShownIn({ input }: vscode.Tab): boolean {
    return (
      input instanceof vscode.TabInputText &&
      this.current !== undefined &&
      input.uri.toString() === this.current.uri.toString()
    );
  }

  private end(answer: ReviewAnswer | undefined): void {
    const { current } = this;
    this.current = undefined;
    current?.end(answer);
  }
}
