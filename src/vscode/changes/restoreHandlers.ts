/** What the agent's page asks for a restore. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { Content } from '../../agent/changes/version.js';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import { booleanParam, stringParam, stringsParam } from '../../presentation/params.js';
import type { MessageHandlers } from '../../protocol/messages.js';
import type { RestoreRequests } from '../../protocol/restoring.js';

/** @param showBeside shows what a file holds beside what it would */
export function restoreHandlers(
  { restoring }: Pick<AgentPanel, 'restoring'>,
  showBeside: (
    path: string,
    contents: { readonly now: Content; readonly after: Content },
    title: string,
  ) => Promise<void>,
): MessageHandlers<RestoreRequests> {
  return {
    showRestore: (params) => restoring.show(stringParam(params, 'id')),
    leaveRestore: () => restoring.leave(),
    showRestoreDiff: async (params) => {
      const path = stringParam(params, 'id');
      const title = vscode.l10n.t('{0} (Now and after Restore)', basename(path));
      await showBeside(path, restoring.plannedFile(path), title);
    },
    restore: async (params) => {
      const done = await restoring.restore({
        stamp: stringParam(params, 'stamp'),
        files: booleanParam(params, 'files'),
        conversation: booleanParam(params, 'conversation'),
        restored: stringsParam(params, 'restored'),
        left: stringsParam(params, 'left'),
      });
      return done ? { isDone: true, ...done } : { isDone: false };
    },
  };
}
