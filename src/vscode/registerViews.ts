import * as vscode from 'vscode';
import { ToolOverview } from '../agent/tools/toolOverview.js';
import { type Disposable, DisposableStore } from '../base/disposable.js';
import { isSwitchedOn } from '../base/isSwitchedOn.js';
import type { FolderGateways } from '../gateway/folderGateways.js';
import type { HandOvers } from '../gateway/handOvers.js';
import type { McpService } from '../mcp/mcpApi.js';
import type { DoubleStarts } from '../mcp/otherClients/doubleStarts.js';
import type { OpenQuestions } from '../mcp/service/openQuestions.js';
import type { HostEnvironment } from '../platform/ports.js';
import { GatheredFacts } from '../presentation/gatheredFacts.js';
import type { ServerAdvice } from '../presentation/language/serverAdvice.js';
import { setTool } from './commands/toolCommands.js';
import type { ToolParts } from './createTools.js';
import type { TextDocuments } from './documents/textDocuments.js';
import { DoubleStartWatch } from './gateway/doubleStartWatch.js';
import { GatewayStatusItem } from './gateway/gatewayStatusItem.js';
import { LaunchAnnouncer } from './prompts/launchAnnouncer.js';
import type { ReportError } from './reportError.js';
import { McpStatusItem } from './statusBar/mcpStatusItem.js';
import { NoticeTeller } from './views/noticeTeller.js';
import { RowKeeper } from './views/rowKeeper.js';
import { type MoveServers, ServerDrags } from './views/serverDrags.js';
import type { RowActions } from './views/serversTree.js';
import type { ServersView } from './views/serversView.js';

export interface ViewParts extends Omit<ToolParts, 'results'> {
  readonly view: ServersView;
  readonly service: McpService;
  readonly environment: HostEnvironment;
  readonly questions: OpenQuestions;
  readonly advice: ServerAdvice;
  readonly gateways: FolderGateways;
  readonly handOvers: HandOvers;
  readonly doubleStarts: DoubleStarts;
  readonly documents: TextDocuments;
  readonly workspaceState: vscode.Memento;
  readonly move: MoveServers;
  readonly reportError: ReportError;
}

/** What users see of the servers without having asked, beside their rows: facts in these, notices, other items. */
export function registerViews(parts: ViewParts): RowActions & Disposable {
  const { service, features, toolBudget: budget, environment, reportError, view } = parts;
  const store = new DisposableStore();
  const tools = store.add(new ToolOverview({ service, features, budget, environment }));
  view.addFacts(store.add(new GatheredFacts({ ...parts, tools })));
  if (!isSwitchedOn(environment.getVariable('MINIMAL_UI'))) {
    store.add(new McpStatusItem(service, features.profiles));
  }
  store.add(new DoubleStartWatch(service, parts.doubleStarts, view.view));
  store.add(new RowKeeper(service, parts.workspaceState, reportError));
  store.add(new GatewayStatusItem(parts.gateways, service));
  store.add(new NoticeTeller(service, view, reportError));
  store.add(new LaunchAnnouncer(service, parts.workspaceState, parts.documents, reportError));
  return {
    drags: new ServerDrags(service, parts.move, reportError),
    switchTools: (items) => switchTools(features, items),
    dispose: () => store.dispose(),
  };
}

async function switchTools(
  features: ToolParts['features'],
  items: Parameters<RowActions['switchTools']>[0],
): Promise<void> {
  for (const [node, state] of items) {
    if (node.kind === 'tool') {
      const isOn = state === vscode.TreeItemCheckboxState.Checked;
      await setTool(features, node.server, node.tool.name, isOn);
    }
  }
}
