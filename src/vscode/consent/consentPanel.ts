/** Leads the user to the page on which they consent, and waits for the answer there. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { WorkspaceFolder } from '../../config/definition.js';
import { consentPanelType } from '../../contributions.js';
import { changedDefinitionsIn } from '../../presentation/consent/consentReview.js';
import { showInformation } from '../notifications.js';
import { PageTabs } from '../webviews/pageTabs.js';
import { type ConsentPanelParts, OpenConsent } from './openConsent.js';

interface Waiter {
  readonly resolve: () => void;
  /** What it waits for is there. Default: any answer is enough. */
  readonly isDone: (() => boolean) | undefined;
}

/** The one tab for everything that waits for consent. It opens only when the user wants to be asked. */
export class ConsentPanel implements Disposable {
  readonly tabs: PageTabs<void, OpenConsent>;
  private readonly store = new DisposableStore();
  private readonly emitter = this.store.add(new Emitter<void>());
  private readonly waiters = new Set<Waiter>();
  /** URIs; default: all of the window. */
  private asked: readonly string[] | undefined;

  /** The page is about other folders. */
  readonly onDidChangeFolders = this.emitter.event;

  constructor(private readonly parts: ConsentPanelParts) {
    this.tabs = this.store.add(
      new PageTabs<void, OpenConsent>({
        type: consentPanelType,
        extensionUri: parts.extensionUri,
        titleOf: () => vscode.l10n.t('Review MCP Servers'),
        // a tab that comes back is about what waits now
        read: async () => void (await parts.loaded),
        open: (panel) => new OpenConsent(panel, this, parts),
        onDidClose: () => this.leave(),
      }),
    );
    for (const event of [parts.service.onDidChangeServer, parts.service.trust.onDidChange]) {
      this.store.add(event(() => this.settle(({ isDone }) => isDone?.() === true)));
    }
  }

  /** What the page is about. */
  get folders(): readonly WorkspaceFolder[] {
    const all = this.parts.service.pools.flatMap(({ folder }) => folder ?? []);
    const asked = all.filter(({ uri }) => this.asked?.includes(uri) ?? true);
    return asked.length > 0 ? asked : all;
  }

  /**
   * Shows everything that waits in the folders; resolves when the user has answered, or has closed the page.
   * @param folders default: all of the window
   * @param isDone what the caller waits for: other answers are none to it
   */
  async review(folders?: readonly WorkspaceFolder[], isDone?: () => boolean): Promise<void> {
    if (!(await this.mayAsk())) {
      return;
    }
    const { service } = this.parts;
    const all = folders ?? service.pools.flatMap(({ folder }) => folder ?? []);
    const waiting = await Promise.all(all.map(({ uri }) => service.trust.pendingConsent(uri)));
    if (waiting.flat().length > 0 || changedDefinitionsIn(service, all).length > 0) {
      await this.ask(folders, isDone);
    } else {
      void showInformation(vscode.l10n.t('No MCP server waits for your review.'));
    }
  }

  /** As {@link review}; without anything waiting, the page offers to trust later entries of the folder too. */
  async trust(folder: WorkspaceFolder): Promise<void> {
    if (!(await this.mayAsk())) {
      return;
    }
    const { trust } = this.parts.service;
    const waiting = await trust.pendingConsent(folder.uri);
    if (waiting.length === 0 && trust.folderTrust(folder.uri).kind === 'folder') {
      void showInformation(
        vscode.l10n.t('{0}: {1}', folder.name, vscode.l10n.t('The folder is trusted as a whole.')),
      );
    } else {
      await this.ask([folder]);
    }
  }

  /** For calls of other extensions, whose page could come under what the user types: a message leads to it. */
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

  /** The user has answered on the page. */
  answer(): void {
    this.settle(({ isDone }) => isDone?.() ?? true);
  }

  dispose(): void {
    this.store.dispose();
    this.leave();
  }

  private leave(): void {
    this.asked = undefined;
    this.settle(() => true);
  }

  private settle(isSettled: (waiter: Waiter) => boolean): void {
    for (const waiter of [...this.waiters].filter(isSettled)) {
      this.waiters.delete(waiter);
      waiter.resolve();
    }
  }

  private async mayAsk(): Promise<boolean> {
    const { isWorkspaceTrusted } = this.parts.service.trust;
    if (!isWorkspaceTrusted) {
      await vscode.commands.executeCommand('workbench.trust.manage');
    }
    return isWorkspaceTrusted;
  }

  private ask(folders?: readonly WorkspaceFolder[], isDone?: () => boolean): Promise<void> {
    if (this.store.isDisposed) {
      return Promise.resolve();
    }
    this.asked = folders?.map(({ uri }) => uri);
    this.emitter.fire();
    this.tabs.show();
    return new Promise((resolve) => this.waiters.add({ resolve, isDone }));
  }
}
