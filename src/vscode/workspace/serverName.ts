import * as vscode from 'vscode';
import type { McpServerDefinition } from '../../config/definition.js';
import { nameInWindow } from '../../config/nameInWindow.js';

/** The words for a server in whatever asks or tells the user something about it. */
export function serverName(definition: Pick<McpServerDefinition, 'name' | 'folder'>): string {
  return nameInWindow(definition, vscode.workspace.workspaceFolders ?? []);
}
