import * as vscode from 'vscode';
import { nodeId, type TreeNode } from '../../presentation/tree/nodes.js';
import {
  commandLink,
  literalMarkdown,
  plainMarkdown,
} from '../../presentation/tree/plainMarkdown.js';
import type { NodePresentation, TooltipPart } from '../../presentation/tree/presentation.js';
import { toDocumentUri } from '../documents/resourceUris.js';

export function toTreeItem(node: TreeNode, shown: NodePresentation): vscode.TreeItem {
  const item = new vscode.TreeItem(shown.label, collapsibleState(shown.expansion));
  item.id = nodeId(node);
  item.description = shown.description;
  item.iconPath = iconPath(shown);
  item.tooltip = shown.tooltip.length > 0 ? toMarkdown(shown.tooltip) : undefined;
  item.accessibilityInformation = { label: shown.spoken };
  item.contextValue = shown.flags;
  item.resourceUri = resourceUri(node);
  if (shown.isChecked !== undefined) {
    item.checkboxState = shown.isChecked
      ? vscode.TreeItemCheckboxState.Checked
      : vscode.TreeItemCheckboxState.Unchecked;
  }
  item.command = shown.command && {
    command: shown.command.id,
    title: shown.command.title,
    // with arguments, VS Code forgets the command while it draws the row anew
    ...(node.kind !== 'review' && { arguments: [node] }),
  };
  return item;
}

/** What is dragged of a row that stands for a document. */
function resourceUri(node: TreeNode): vscode.Uri | undefined {
  return node.kind === 'resource' && 'uri' in node.resource
    ? toDocumentUri(node.server, node.resource.uri, node.resource.mimeType)
    : undefined;
}

function iconPath({ picture, icon, color }: NodePresentation): vscode.TreeItem['iconPath'] {
  return picture
    ? { light: vscode.Uri.parse(picture.light), dark: vscode.Uri.parse(picture.dark) }
    : new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/**
 * Parts may hold text from servers and files: it is escaped, and nothing in it can be clicked into a command but those
 * that stand here.
 */
export function toMarkdown(parts: readonly TooltipPart[]): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString('', false);
  const actions = parts.flatMap((part) => (part.kind === 'actions' ? part.actions : []));
  const enabledCommands = actions.map(({ command }) => command);
  markdown.isTrusted = enabledCommands.length > 0 ? { enabledCommands } : false;
  markdown.supportHtml = false;
  for (const part of parts) {
    switch (part.kind) {
      case 'title':
        markdown.appendMarkdown(`**${literalMarkdown(part.text)}**\n\n`);
        break;
      case 'paragraph':
        markdown.appendMarkdown(`${literalMarkdown(part.text)}\n\n`);
        break;
      case 'code':
        markdown.appendCodeblock(part.text, part.language ?? 'text');
        break;
      case 'markdown':
        markdown.appendMarkdown(`${plainMarkdown(part.text)}\n\n`);
        break;
      case 'actions':
        markdown.appendMarkdown(`${part.actions.map(commandLink).join(' | ')}\n\n`);
        break;
    }
  }
  return markdown;
}

function collapsibleState(expansion: NodePresentation['expansion']) {
  switch (expansion) {
    case 'none':
      return vscode.TreeItemCollapsibleState.None;
    case 'collapsed':
      return vscode.TreeItemCollapsibleState.Collapsed;
    case 'expanded':
      return vscode.TreeItemCollapsibleState.Expanded;
  }
}
