import * as vscode from 'vscode';
import { Coalescer } from '../../base/async/coalescer.js';
import { DisposableOwner } from '../../base/disposable.js';
import { showText } from '../../base/text/showText.js';
import { commandIds, storageKeys } from '../../contributions.js';
import type { McpPool, McpService } from '../../mcp/mcpApi.js';
import { changesText } from '../../presentation/consent/consentText.js';
import {
  compareLaunches,
  type LaunchRecord,
  launchRecord,
} from '../../presentation/consent/launchRecord.js';
import { poolLabel } from '../../presentation/tree/presentation.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { showInformation } from '../notifications.js';

const settleMs = 500;
const maxNames = 5;

/** Tells once about each command that was added or changed in a folder whose files the user trusts. */
export class LaunchAnnouncer extends DisposableOwner {
  private readonly check: Coalescer;

  constructor(
    private readonly service: McpService,
    private readonly memento: vscode.Memento,
    private readonly documents: TextDocuments,
    reportError: (error: unknown) => void,
  ) {
    super();
    this.check = this.store.add(
      new Coalescer(() => this.compare(), { delayMs: settleMs, onError: reportError }),
    );
    this.store.add(service.onDidChangePools(() => this.check.request()));
    this.store.add(service.trust.onDidChange(() => this.check.request()));
    this.check.request();
  }

  private async compare(): Promise<void> {
    const stored = this.memento.get<Record<string, LaunchRecord>>(
      storageKeys.announcedLaunches,
      {},
    );
    const open = new Set(this.service.pools.map(({ id }) => id));
    // what changes while a folder is closed is told when it is open again
    const next = Object.fromEntries(Object.entries(stored).filter(([uri]) => !open.has(uri)));
    for (const pool of this.service.pools) {
      const { folder } = pool;
      if (!folder || this.service.trust.folderTrust(folder.uri).kind !== 'folder') {
        continue;
      }
      const known = stored[folder.uri];
      const hasBrokenFile = pool.fileProblems.some(({ problem }) => problem.severity === 'error');
      const record = hasBrokenFile ? known : launchRecord(pool.servers);
      if (record) {
        next[folder.uri] = record;
        this.announce(pool, known ? compareLaunches(known, record) : []);
      }
    }
    await this.memento.update(storageKeys.announcedLaunches, next);
  }

  private announce(pool: McpPool, names: readonly string[]): void {
    if (names.length === 0 || !pool.folder) {
      return;
    }
    const more = names.length > maxNames ? ` (+${names.length - maxNames})` : '';
    const listed = `${names.slice(0, maxNames).map(showText).join(', ')}${more}`;
    const show = vscode.l10n.t('Show');
    const manage = vscode.l10n.t('Manage Trust…');
    void showInformation(
      vscode.l10n.t(
        'MCP servers were added or changed in the trusted folder "{0}" and may run: {1}',
        poolLabel(pool),
        listed,
      ),
      show,
      manage,
    ).then((choice) => {
      if (choice === show) {
        void this.showChanges(pool, names);
      } else if (choice === manage) {
        void vscode.commands.executeCommand(commandIds.manageTrust, pool.id);
      }
    });
  }

  private async showChanges(pool: McpPool, names: readonly string[]): Promise<void> {
    await this.documents.show(vscode.l10n.t('Changed MCP Servers'), changesText(pool, names));
  }
}
