import * as vscode from 'vscode';
import {
  type Disposable,
  DisposableMap,
  DisposableOwner,
  DisposableStore,
} from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { McpServerDefinition, McpServerId } from '../../config/definition.js';
import type { LoggerProvider } from '../../config/ports.js';
import { maskText } from '../../config/secrets/secretMask.js';
import type { Logger, LogLevel } from '../../platform/ports.js';

/** Stands for the log of the extension itself where the logs of servers go by their ids. */
export const mainLog = 'main';

/** One log for the extension and one per server, created when it first has something to say. */
export class LogChannels extends DisposableOwner implements LoggerProvider {
  private readonly mainChannel = this.store.add(
    vscode.window.createOutputChannel('Pi MCP', { log: true }),
  );
  private readonly serverLogs = this.store.add(new DisposableMap<McpServerId, ServerLog>());
  /** The servers' logs show every message that passes, until switched off or the window closes. */
  isTrafficTraced = false;
  readonly main: Logger = {
    log: (level, message) => this.mainChannel[level](maskText(message)),
  };

  forServer(definition: McpServerDefinition): Logger {
    return this.serverLog(definition);
  }

  showMain(): void {
    this.mainChannel.show(true);
  }

  showServer(definition: McpServerDefinition): void {
    this.serverLog(definition).show();
  }

  /** Closes the logs of servers that are gone. */
  keepOnly(ids: ReadonlySet<McpServerId>): void {
    for (const id of [...this.serverLogs.keys()]) {
      if (!ids.has(id)) {
        this.serverLogs.delete(id);
      }
    }
  }

  private serverLog(definition: McpServerDefinition): ServerLog {
    const existing = this.serverLogs.get(definition.id);
    if (existing) {
      return existing;
    }
    const label = `Pi MCP: ${nameToken(definition.name)}`;
    const isTaken = [...this.serverLogs.values()].some((log) => log.label === label);
    const place = definition.folder?.name ?? vscode.l10n.t('User');
    const log = new ServerLog(isTaken ? `${label} (${place})` : label);
    this.serverLogs.set(definition.id, log);
    return log;
  }
}

class ServerLog implements Logger, Disposable {
  private readonly store = new DisposableStore();
  private readonly _onDidChangeLevel = this.store.add(new Emitter<void>());
  readonly onDidChangeLevel = this._onDidChangeLevel.event;
  private channel: vscode.LogOutputChannel | undefined;
  private isDisposed = false;

  constructor(readonly label: string) {}

  log(level: LogLevel, message: string): void {
    this.open()?.[level](message);
  }

  get level(): LogLevel | 'off' | undefined {
    return this.channel && levelOf(this.channel.logLevel);
  }

  show(): void {
    this.open()?.show(true);
  }

  dispose(): void {
    this.isDisposed = true;
    this.store.dispose();
  }

  private open(): vscode.LogOutputChannel | undefined {
    if (!this.isDisposed && !this.channel) {
      const channel = this.store.add(vscode.window.createOutputChannel(this.label, { log: true }));
      this.store.add(channel.onDidChangeLogLevel(() => this._onDidChangeLevel.fire()));
      this.channel = channel;
    }
    return this.isDisposed ? undefined : this.channel;
  }
}

/** Names VS Code's levels when it is asked, not while the extension is loaded. */
function levelOf(level: vscode.LogLevel): LogLevel | 'off' {
  switch (level) {
    case vscode.LogLevel.Off:
      return 'off';
    case vscode.LogLevel.Trace:
      return 'trace';
    case vscode.LogLevel.Debug:
      return 'debug';
    case vscode.LogLevel.Info:
      return 'info';
    case vscode.LogLevel.Warning:
      return 'warn';
    case vscode.LogLevel.Error:
      return 'error';
  }
}
