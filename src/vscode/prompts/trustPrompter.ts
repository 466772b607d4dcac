import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { Coalescer } from '../../base/coalescer.js';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { Sequencer } from '../../base/sequencer.js';
import type { ConsentRequest, McpService } from '../../mcp/mcpApi.js';
import type { WorkspaceFolder } from '../../mcp/mcpTypes.js';
import type { AskedConsents } from '../../mcp/trust/askedConsents.js';
import { showInformation, showWarning } from '../notifications.js';
import type { ReportError } from '../reportError.js';
import { changeSetKey, consentText } from './consentText.js';

const settleMs = 100;

/**
 * Asks for consent: one question per folder and change-set. By itself once for each set, over all sessions; the
 * question that the user dismissed comes back only when they ask for it or when the set changes.
 */
export class TrustPrompter implements Disposable {
  private readonly store = new DisposableStore();
  private readonly sequencer = new Sequencer();
  private readonly check: Coalescer;

  constructor(
    private readonly service: McpService,
    private readonly asked: AskedConsents,
    reportError: ReportError,
  ) {
    this.check = this.store.add(
      new Coalescer(() => this.askAboutNewSets(), { delayMs: settleMs, onError: reportError }),
    );
  }

  /** From now on asks by itself when a change-set is new. */
  async start(): Promise<void> {
    await this.asked.start();
    if (this.store.isDisposed) {
      return;
    }
    this.store.add(this.service.onDidChangePools(() => this.check.request()));
    this.store.add(this.service.trust.onDidChange(() => this.check.request()));
    this.check.request();
  }

  /** Asks about what waits in the folder now; without anything waiting, offers to trust its later entries too. */
  async ask(folder: WorkspaceFolder): Promise<void> {
    if (!this.service.trust.isWorkspaceTrusted) {
      await vscode.commands.executeCommand('workbench.trust.manage');
      return;
    }
    await this.sequencer.queue(async () => {
      const requests = await this.service.trust.pendingConsent(folder.uri);
      if (requests.length > 0) {
        await this.askAbout(folder, requests);
      } else {
        await this.offerFolderTrust(folder);
      }
    });
  }

  dispose(): void {
    this.store.dispose();
  }

  private async askAboutNewSets(): Promise<void> {
    for (const { folder } of this.service.pools) {
      if (folder) {
        await this.sequencer.queue(() => this.askIfNew(folder));
      }
    }
  }

  private async askIfNew(folder: WorkspaceFolder): Promise<void> {
    const { trust } = this.service;
    if (!trust.isWorkspaceTrusted) {
      return;
    }
    const requests = await trust.pendingConsent(folder.uri);
    const isNew = requests.length > 0 && !this.asked.has(folder.uri, digest(requests));
    if (isNew && !this.store.isDisposed) {
      await this.askAbout(folder, requests);
    }
  }

  private async askAbout(
    folder: WorkspaceFolder,
    requests: readonly ConsentRequest[],
  ): Promise<void> {
    const trustFolder = vscode.l10n.t('Trust Folder');
    const trustServers = vscode.l10n.t('Trust These Servers Only');
    const showFile = vscode.l10n.t('Show Configuration');
    const { detail, isComplete } = consentText(requests, folder.fsPath);
    const choice = await showWarning(
      requests.length === 1
        ? vscode.l10n.t('Do you trust this MCP server of folder "{0}" to run?', folder.name)
        : vscode.l10n.t(
            'Do you trust these {0} MCP servers of folder "{1}" to run?',
            requests.length,
            folder.name,
          ),
      { modal: true, detail: `${detail}\n\n${explanation()}` },
      trustFolder,
      trustServers,
      ...(isComplete ? [] : [showFile]),
    );
    if (this.store.isDisposed) {
      return;
    }
    // not before the answer: a question that ended with its window was not dismissed
    await this.asked.remember(folder.uri, digest(requests));
    if (choice === trustFolder) {
      await this.service.trust.trustFolder(folder.uri);
    } else if (choice === trustServers) {
      await this.service.trust.trustServers(folder.uri, requests);
    } else if (choice === showFile) {
      await this.showFile(folder);
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
    const choice = await showWarning(
      vscode.l10n.t('Do you trust the MCP configuration of folder "{0}"?', folder.name),
      {
        modal: true,
        detail: vscode.l10n.t(
          'No server waits for your consent now. Servers that are added to its files later will run without asking; you are told about each of them.',
        ),
      },
      trustFolder,
    );
    if (choice === trustFolder && !this.store.isDisposed) {
      await this.service.trust.trustFolder(folder.uri);
    }
  }

  private async showFile(folder: WorkspaceFolder): Promise<void> {
    const pool = this.service.pools.find((candidate) => candidate.folder?.uri === folder.uri);
    const path = pool?.files.at(-1);
    if (path !== undefined) {
      await vscode.window.showTextDocument(vscode.Uri.file(path));
    }
  }
}

function digest(requests: readonly ConsentRequest[]): string {
  return createHash('sha256').update(changeSetKey(requests)).digest('hex');
}

function explanation(): string {
  return vscode.l10n.t(
    '"Trust Folder" also covers servers that are added or changed later. "Trust These Servers Only" covers exactly what is listed here.',
  );
}
