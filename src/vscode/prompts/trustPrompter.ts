import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.js';
import { groupBy } from '../../base/lists.js';
import type { WorkspaceFolder } from '../../config/definition.js';
import type { ConsentRequest, McpService } from '../../mcp/mcpApi.js';
import { type LastCommit, lastCommit } from '../../mcp/trust/lastCommit.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { consentText, type FolderRequests } from '../../presentation/consent/consentText.js';
import { type ReviewSource, reviewText } from '../../presentation/consent/reviewText.js';
import type { ReviewAnswer, ReviewDocuments } from '../documents/reviewDocuments.js';
import { showInformation, showWarning } from '../notifications.js';

/** Asks for consent, only when the user wants to be asked, and one question at a time. */
export class TrustPrompter implements Disposable {
  private question: Promise<void> | undefined;
  private isDisposed = false;

  constructor(
    private readonly service: McpService,
    private readonly parts: {
      readonly documents: ReviewDocuments;
      readonly environment: HostEnvironment;
    },
  ) {}

  /**
   * One question about everything that waits in the folders; resolves when it was answered. Who comes while a question
   * is open waits for its answer.
   * @param folders default: all of the window
   */
  async review(folders?: readonly WorkspaceFolder[]): Promise<void> {
    await this.ask(async () => {
      const waiting = await this.waitingIn(folders ?? this.allFolders);
      if (waiting.length > 0) {
        await this.askAbout(waiting);
      } else {
        void showInformation(vscode.l10n.t('No MCP server waits for your review.'));
      }
    });
  }

  /** As {@link review}; without anything waiting, offers to trust later entries of the folder too. */
  async trust(folder: WorkspaceFolder): Promise<void> {
    await this.ask(async () => {
      const waiting = await this.waitingIn([folder]);
      await (waiting.length > 0 ? this.askAbout(waiting) : this.offerFolderTrust(folder));
    });
  }

  /** For calls of other extensions, whose prompt could catch what the user types: a message says that servers wait. */
  async request(folder: WorkspaceFolder): Promise<void> {
    const review = vscode.l10n.t('Review');
    const choice = await showInformation(
      vscode.l10n.t('Another extension asks you to trust MCP servers of "{0}".', folder.name),
      review,
    );
    if (choice === review) {
      await this.trust(folder);
    }
  }

  dispose(): void {
    this.isDisposed = true;
  }

  private get allFolders(): readonly WorkspaceFolder[] {
    return this.service.pools.flatMap(({ folder }) => folder ?? []);
  }

  private async ask(question: () => Promise<void>): Promise<void> {
    if (!this.service.trust.isWorkspaceTrusted) {
      await vscode.commands.executeCommand('workbench.trust.manage');
      return;
    }
    if (this.parts.documents.isOpen) {
      // what it shows may be out of date; who waits for its answer gets none
      await this.parts.documents.close();
      await this.question;
    }
    this.question ??= question().finally(() => {
      this.question = undefined;
    });
    await this.question;
  }

  private async waitingIn(folders: readonly WorkspaceFolder[]): Promise<readonly FolderRequests[]> {
    const all = folders.map(async (folder) => ({
      folder,
      requests: await this.service.trust.pendingConsent(folder.uri),
    }));
    return (await Promise.all(all)).filter(({ requests }) => requests.length > 0);
  }

  private async askAbout(waiting: readonly FolderRequests[]): Promise<void> {
    const trustServers = vscode.l10n.t('Trust These Servers Only');
    const trustFolders =
      waiting.length === 1 ? vscode.l10n.t('Trust Folder') : vscode.l10n.t('Trust Folders');
    const { detail, fitsDialog } = consentText(waiting);
    if (!fitsDialog) {
      await this.grant(waiting, await this.askInDocument(waiting));
      return;
    }
    const choice = await this.choose(
      questionAbout(waiting),
      `${detail}\n\n${explanation(trustServers, trustFolders)}`,
      [trustServers, trustFolders],
    );
    await this.grant(
      waiting,
      choice === trustServers ? 'servers' : choice === trustFolders ? 'folders' : undefined,
    );
  }

  private async askInDocument(
    waiting: readonly FolderRequests[],
  ): Promise<ReviewAnswer | undefined> {
    const sources = new Map<ConsentRequest, ReviewSource>();
    for (const { folder, requests } of waiting) {
      for (const [path, declared] of groupBy(requests, (request) => this.pathOf(request))) {
        const commit = await this.commitOf(path, folder);
        for (const request of declared) {
          sources.set(request, { path, commit });
        }
      }
    }
    const text = reviewText(waiting, (request) => sources.get(request));
    return this.isDisposed ? undefined : await this.parts.documents.ask(text, waiting.length);
  }

  private pathOf({ serverId }: ConsentRequest): string {
    return this.service.getServer(serverId)?.definition.origin.path ?? '';
  }

  private async commitOf(
    path: string,
    { fsPath }: WorkspaceFolder,
  ): Promise<LastCommit | undefined> {
    const { environment } = this.parts;
    return path === '' || fsPath === undefined
      ? undefined
      : await lastCommit(fsPath, path, environment);
  }

  private async grant(
    waiting: readonly FolderRequests[],
    answer: ReviewAnswer | undefined,
  ): Promise<void> {
    if (answer === undefined || this.isDisposed) {
      return;
    }
    const { trust } = this.service;
    for (const { folder, requests } of waiting) {
      await (answer === 'folders'
        ? trust.trustFolder(folder.uri)
        : trust.trustServers(folder.uri, requests));
    }
  }

  private async offerFolderTrust(folder: WorkspaceFolder): Promise<void> {
    if (this.service.trust.folderTrust(folder.uri).kind === 'folder') {
      void showInformation(
        vscode.l10n.t('The MCP servers of folder "{0}" are trusted.', folder.name),
      );
      return;
    }
    const trustFolder = vscode.l10n.t('Trust Folder');
    const choice = await this.choose(
      vscode.l10n.t('Do you trust the MCP configuration of folder "{0}"?', folder.name),
      vscode.l10n.t(
        'No server waits for your consent now. Servers that are added to its files later will run without asking; you are told about each of them.',
      ),
      [trustFolder],
    );
    if (choice === trustFolder) {
      await this.service.trust.trustFolder(folder.uri);
    }
  }

  /**
   * VS Code gives the focus to the first button, which an Enter meant for something else then presses: it must not
   * grant anything. Escape chooses the button that closes.
   * @returns one of the grants; `undefined` when the user chose none of them, or when the window closes
   */
  private async choose(
    message: string,
    detail: string,
    grants: readonly string[],
  ): Promise<string | undefined> {
    const items: readonly vscode.MessageItem[] = [
      { title: vscode.l10n.t('Cancel') },
      ...grants.map((title) => ({ title })),
      { title: vscode.l10n.t('Not Now'), isCloseAffordance: true },
    ];
    const choice = await showWarning(message, { modal: true, detail }, ...items);
    return this.isDisposed ? undefined : grants.find((title) => title === choice?.title);
  }
}

function questionAbout(waiting: readonly FolderRequests[]): string {
  const count = waiting.reduce((sum, { requests }) => sum + requests.length, 0);
  const name = waiting[0]?.folder.name ?? '';
  if (waiting.length > 1) {
    return vscode.l10n.t(
      'Do you trust these {0} MCP servers of {1} folders to run?',
      count,
      waiting.length,
    );
  }
  return count === 1
    ? vscode.l10n.t('Do you trust this MCP server of folder "{0}" to run?', name)
    : vscode.l10n.t('Do you trust these {0} MCP servers of folder "{1}" to run?', count, name);
}

function explanation(trustServers: string, trustFolders: string): string {
  return vscode.l10n.t(
    '"{0}" covers exactly what is listed here. "{1}" also covers servers that are added or changed later.',
    trustServers,
    trustFolders,
  );
}
