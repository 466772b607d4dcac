import * as l10n from '@vscode/l10n';
import { nameToken } from '../base/text/nameToken.js';
import { showHiddenInLine } from '../base/text/showHidden.js';
import type { McpServerDefinition, WorkspaceFolder } from './definition.js';

/**
 * A server as questions, approvals and notices name it: with its folder where the window has more than one, since each
 * may have a server of that name.
 */
export function nameInWindow(
  { name: ownName, folder }: Pick<McpServerDefinition, 'name' | 'folder'>,
  folders: readonly Pick<WorkspaceFolder, 'name'>[],
): string {
  const name = nameToken(ownName);
  if (folders.length < 2) {
    return name;
  }
  if (!folder) {
    return l10n.t('{0} (User)', name);
  }
  const isAlone = folders.filter((other) => other.name === folder.name).length < 2;
  const place = isAlone ? folder.name : (folder.fsPath ?? folder.uri);
  return l10n.t('{0} (folder {1})', name, showHiddenInLine(place));
}
