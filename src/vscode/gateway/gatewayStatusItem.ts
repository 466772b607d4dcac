import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { commandIds, contextKeys } from '../../contributions.js';
import type { FolderGateways } from '../../gateway/folderGateways.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { poolLabel } from '../../presentation/tree/presentation.js';
import { ContextValues } from '../workspace/contextValues.js';

/** There as long as something is lent. */
export class GatewayStatusItem extends DisposableOwner {
  private readonly item: vscode.StatusBarItem;
  private readonly keys = new ContextValues();

  constructor(
    private readonly gateways: FolderGateways,
    private readonly service: McpService,
  ) {
    super();
    this.item = this.store.add(
      vscode.window.createStatusBarItem('piMcp.gateway', vscode.StatusBarAlignment.Left, 8),
    );
    this.item.name = vscode.l10n.t('MCP Gateway');
    this.item.command = commandIds.useGateway;
    this.store.add(gateways.onDidChange(() => this.render()));
  }

  private render(): void {
    const folders = this.gateways.folders.flatMap((uri) => this.service.getPool(uri) ?? []);
    this.keys.set({ [contextKeys.gatewayRuns]: folders.length > 0 });
    if (folders.length === 0) {
      this.item.hide();
      return;
    }
    const names = folders.map(poolLabel).join(', ');
    const text = vscode.l10n.t('The MCP servers of {0} are shared with other programs.', names);
    this.item.text = `$(broadcast) ${vscode.l10n.t('MCP Gateway')}`;
    this.item.tooltip = text;
    this.item.accessibilityInformation = { label: text, role: 'button' };
    this.item.show();
  }
}
