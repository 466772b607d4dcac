import type * as vscode from 'vscode';
import { ToolOverview } from '../agent/tools/toolOverview.js';
import { type Disposable, DisposableStore } from '../base/disposable.js';
import { commandIds } from '../contributions.js';
import type { FolderGateways } from '../gateway/folderGateways.js';
import type { HandOvers } from '../gateway/handOvers.js';
import type { McpService } from '../mcp/mcpApi.js';
import type { DoubleStarts } from '../mcp/otherClients/doubleStarts.js';
import type { OpenQuestions } from '../mcp/service/openQuestions.js';
import type { HostEnvironment } from '../platform/ports.js';
import type { ServerAdvice } from '../presentation/language/serverAdvice.js';
import { serverOf } from '../presentation/tree/targets.js';
import type { ToolParts } from './createTools.js';
import type { TextDocuments } from './documents/textDocuments.js';
import { GatewayStatusItem } from './gateway/gatewayStatusItem.js';
import { registerCommands } from './registerCommand.js';
import type { ReportError } from './reportError.js';
import { McpStatusItem } from './statusBar/mcpStatusItem.js';
import { NoticeTeller } from './views/noticeTeller.js';
import type { MoveServers } from './views/serverDrags.js';
import { ServersView } from './views/serversView.js';
import type { LogChannels } from './workspace/logChannels.js';

export interface ViewParts extends Omit<ToolParts, 'results'> {
  readonly service: McpService;
  readonly environment: HostEnvironment;
  readonly logs: LogChannels;
  readonly questions: OpenQuestions;
  readonly advice: ServerAdvice;
  readonly gateways: FolderGateways;
  readonly handOvers: HandOvers;
  readonly doubleStarts: DoubleStarts;
  readonly documents: TextDocuments;
  readonly workspaceState: vscode.Memento;
  readonly move: MoveServers;
  readonly reportError: ReportError;
  /** Settles when the configuration was read the first time. */
  readonly loaded: Promise<void>;
}

/** What users see of the servers without having asked: tree, status bar and notices. */
export function registerViews(parts: ViewParts): Disposable {
  const { service, features, toolBudget: budget, environment, logs, reportError } = parts;
  const store = new DisposableStore();
  const tools = store.add(new ToolOverview({ service, features, budget, environment }));
  const { switches, setAside } = features;
  const view = store.add(
    new ServersView(service, parts.loaded, { ...parts, tools, switches, setAside }),
  );
  store.add(
    registerCommands(
      {
        [commandIds.revealServer]: async (argument) => {
          const server = serverOf(service, argument);
          if (server) {
            await view.reveal(server);
          }
        },
      },
      reportError,
    ),
  );
  store.add(new McpStatusItem(service, features.profiles));
  store.add(new GatewayStatusItem(parts.gateways, service));
  store.add(new NoticeTeller(service, view, reportError));
  store.add(
    service.onDidChangePools(() => {
      const servers = service.servers;
      logs.keepOnly(new Set(servers.map((server) => server.id)));
    }),
  );
  const announce = async () => {
    await parts.loaded;
    const { LaunchAnnouncer } = await import('./prompts/launchAnnouncer.js');
    if (!store.isDisposed) {
      store.add(new LaunchAnnouncer(service, parts.workspaceState, parts.documents, reportError));
    }
  };
  announce().catch(reportError);
  return store;
}
