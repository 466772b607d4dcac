import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { commandIds, viewIds } from '../../contributions.js';
import type { ToolProfiles } from '../../mcp/catalog/records/toolProfiles.js';
import type { McpService } from '../../mcp/mcpApi.js';
import {
  type ProfileOfFolder,
  type StatusSummary,
  summarize,
} from '../../presentation/statusBar/statusSummary.js';

const maxTooltipLines = 20;

export class McpStatusItem extends DisposableOwner {
  private readonly item: vscode.StatusBarItem;

  /** @param profiles it tells which of them narrow the tools. */
  constructor(
    private readonly service: McpService,
    private readonly profiles: ToolProfiles,
  ) {
    super();
    this.item = this.store.add(
      vscode.window.createStatusBarItem('piMcp.status', vscode.StatusBarAlignment.Left, 10),
    );
    this.item.name = vscode.l10n.t('MCP Servers');
    this.store.add(service.onDidChangePools(() => this.render()));
    this.store.add(service.onDidChangeServer(() => this.render()));
    this.store.add(profiles.onDidChange(() => this.render()));
    this.render();
  }

  /** By folder, where it has one. */
  private get chosenProfiles(): readonly ProfileOfFolder[] {
    const folders = this.service.pools.flatMap(({ folder }) => folder ?? []);
    const places = folders.length > 0 ? folders : [undefined];
    return places.flatMap((folder) => {
      const chosen = this.profiles.active(folder?.uri);
      return chosen ? [{ folder: folder?.name, chosen }] : [];
    });
  }

  private render(): void {
    const summary = summarize(this.service.servers, this.chosenProfiles);
    if (!summary) {
      this.item.hide();
      return;
    }
    this.item.text = summary.text;
    this.item.command =
      summary.toReview > 0 ? commandIds.reviewServers : `${viewIds.servers}.focus`;
    this.item.accessibilityInformation = { label: summary.spoken, role: 'button' };
    this.item.backgroundColor = backgroundColor(summary.background);
    this.item.color = textColor(summary.color);
    this.item.tooltip = tooltip(summary);
    this.item.show();
  }
}

function backgroundColor(background: StatusSummary['background']): vscode.ThemeColor | undefined {
  switch (background) {
    case 'none':
      return undefined;
    case 'warning':
      return new vscode.ThemeColor('statusBarItem.warningBackground');
    case 'error':
      return new vscode.ThemeColor('statusBarItem.errorBackground');
  }
}

function textColor(color: StatusSummary['color']): vscode.ThemeColor | undefined {
  switch (color) {
    case 'none':
      return undefined;
    case 'connected':
      return new vscode.ThemeColor('charts.green');
    case 'partial':
      return new vscode.ThemeColor('charts.yellow');
  }
}

function tooltip(summary: StatusSummary): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString('', true);
  markdown.isTrusted = false;
  markdown.appendMarkdown('**').appendText(summary.spoken).appendMarkdown('**\n\n');
  for (const text of summary.profiles) {
    markdown.appendText(text).appendMarkdown('\n\n');
  }
  for (const line of summary.lines.slice(0, maxTooltipLines)) {
    markdown
      .appendMarkdown(`$(${line.icon}) `)
      .appendText(`${line.server} (${line.place}): ${line.state}`)
      .appendMarkdown('  \n');
  }
  const more = summary.lines.length - maxTooltipLines;
  if (more > 0) {
    markdown.appendText(vscode.l10n.t('{0} more', more));
  }
  return markdown;
}
