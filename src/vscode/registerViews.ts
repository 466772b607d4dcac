import * as vscode from 'vscode';
import { ToolOverview } from '../agent/tools/toolOverview.js';
import { type Disposable, DisposableStore } from '../base/disposable.js';
import { isSwitchedOn } from '../base/isSwitchedOn.js';
import { GatheredFacts } from '../presentation/gatheredFacts.js';
import type { ToolParts } from './activation/host.js';
import { setTool } from './commands/toolCommands.js';
import type { SurfaceParts } from './createSurfaces.js';
import { DoubleStartWatch } from './gateway/doubleStartWatch.js';
import { GatewayStatusItem } from './gateway/gatewayStatusItem.js';
import { LaunchAnnouncer } from './prompts/launchAnnouncer.js';
import { McpStatusItem } from './statusBar/mcpStatusItem.js';
import { NoticeTeller } from './views/noticeTeller.js';
import { RowKeeper } from './views/rowKeeper.js';
import { type MoveServers, ServerDrags, type ShowBundles } from './views/serverDrags.js';
import type { RowActions } from './views/serversTree.js';

export interface ViewParts extends SurfaceParts {
  readonly move: MoveServers;
  /** Of these paths. */
  readonly showBundles: ShowBundles;
}

/** What users see of the servers without having asked, beside their rows: facts in these, notices, other items. */
export function registerViews(parts: ViewParts): RowActions & Disposable {
  const { service, features, toolBudget: budget, machine, reportError, view } = parts;
  const { environment } = machine;
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
    drags: new ServerDrags(vscode, service, parts, reportError),
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
