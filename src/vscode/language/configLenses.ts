import * as vscode from 'vscode';
import { Coalescer } from '../../base/async/coalescer.js';
import { DisposableOwner } from '../../base/disposable.js';
import type { TextRange } from '../../config/definition.js';
import { type CommandId, commandIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { serverOfEntry } from '../../presentation/language/entryServer.js';
import { type LensAction, serverLenses } from '../../presentation/language/serverLenses.js';
import type { ConfigFiles } from './configFiles.js';
import { toRange } from './ranges.js';

// long enough that a start with many servers gives one refresh, short enough to seem immediate
const settleMs = 100;

const commands: Readonly<Record<LensAction, CommandId>> = {
  reveal: commandIds.revealServer,
  restart: commandIds.restartServer,
  fix: commandIds.fixServer,
  openWinner: commandIds.openConfiguration,
};

interface LensAt {
  readonly range: TextRange;
  readonly title: string;
  readonly action: LensAction;
  readonly server: McpServer;
}

/** State and actions above each server of a configuration file. */
export class ConfigLensProvider extends DisposableOwner implements vscode.CodeLensProvider {
  private readonly changeEmitter = this.store.add(new vscode.EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.changeEmitter.event;
  /**
   * What each document had to show when VS Code was last told to ask again, so that it asks only for a difference. Not
   * what it was given: VS Code drops answers to questions that it has taken back.
   */
  private readonly announced = new Map</* document URI */ string, string>();
  private readonly refresh: Coalescer;

  constructor(
    private readonly files: ConfigFiles,
    private readonly service: McpService,
    onError: (error: unknown) => void,
  ) {
    super();
    this.refresh = this.store.add(
      new Coalescer(async () => this.refreshChanged(), { delayMs: settleMs, onError }),
    );
    this.store.add(service.onDidChangePools(() => this.refresh.request()));
    this.store.add(service.onDidChangeServer(() => this.refresh.request()));
    // a document may be shown before or after the servers are known
    this.store.add(vscode.workspace.onDidOpenTextDocument(() => this.refresh.request()));
    this.refresh.request();
    this.store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.announced.delete(uri.toString())),
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    return this.lensesOf(document).map(
      ({ range, title, action, server }) =>
        new vscode.CodeLens(toRange(document, range), {
          title,
          command: commands[action],
          arguments: [server.id],
        }),
    );
  }

  private refreshChanged(): void {
    let isStale = false;
    for (const document of vscode.workspace.textDocuments) {
      const uri = document.uri.toString();
      const now = signature(this.lensesOf(document));
      isStale ||= (this.announced.get(uri) ?? '') !== now;
      this.announced.set(uri, now);
    }
    if (isStale) {
      this.changeEmitter.fire();
    }
  }

  private lensesOf(document: vscode.TextDocument): readonly LensAt[] {
    const config = this.files.read(document);
    return (config?.file.entries ?? []).flatMap((entry) => {
      const server = config && serverOfEntry(this.service, config.poolId, entry);
      return server
        ? serverLenses(server, entry, config.location.path).map((lens) => ({
            ...lens,
            range: entry.nameRange,
            server,
          }))
        : [];
    });
  }
}

function signature(lenses: readonly LensAt[]): string {
  return lenses.map(({ title, server }) => `${server.id} ${title}`).join('\n');
}
