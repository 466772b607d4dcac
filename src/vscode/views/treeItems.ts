import * as vscode from 'vscode';
import type { NodePresentation } from '../../presentation/tree/presentation.js';
import type { TreeNode } from '../../presentation/tree/topNodes.js';
import { collapsibleState } from './serversTree.js';

/** Tooltips come when they are about to show. */
export function toTreeItem(node: TreeNode, id: string, shown: NodePresentation): vscode.TreeItem {
  const item = new vscode.TreeItem(shown.label, collapsibleState(shown.expansion));
  item.id = id;
  item.description = shown.description;
  item.iconPath = iconPath(shown);
  item.accessibilityInformation = { label: shown.spoken };
  item.contextValue = shown.flags;
  if (shown.isChecked !== undefined) {
    item.checkboxState = shown.isChecked
      ? vscode.TreeItemCheckboxState.Checked
      : vscode.TreeItemCheckboxState.Unchecked;
  }
  item.command = shown.command && {
    command: shown.command.id,
    title: shown.command.title,
    // with arguments, VS Code forgets the command while it draws the row anew
    arguments: node.kind === 'review' || node.kind === 'starter' ? undefined : [node],
  };
  return item;
}

function iconPath({ picture, icon, color }: NodePresentation): vscode.TreeItem['iconPath'] {
  return picture
    ? { light: vscode.Uri.parse(picture.light), dark: vscode.Uri.parse(picture.dark) }
    : new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}
