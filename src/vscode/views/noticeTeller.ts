import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { settingIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { systemClock } from '../../platform/clock.js';
import { noticeOf } from '../../presentation/notices/noticeText.js';
import { ServerNotices } from '../../presentation/notices/serverNotices.js';
import { showInformation } from '../notifications.js';
import type { ReportError } from '../reportError.js';
import { ConfigValue } from '../workspace/configValue.js';

/**
 * Notices about servers that stopped working. A notification, since the status bar only counts and is read out to nobody:
 * of the least severity, which leaves by itself and obeys Do Not Disturb.
 */
export class NoticeTeller extends DisposableOwner {
  private readonly setting = this.store.add(new ConfigValue(settingIds.notices));

  constructor(
    service: McpService,
    view: { readonly isVisible: boolean },
    reportError: ReportError,
  ) {
    super();
    this.store.add(
      new ServerNotices({
        service,
        clock: systemClock,
        isInSight: () => view.isVisible,
        isWanted: () => this.setting.value,
        tell: (servers) => void this.tell(servers).catch(reportError),
      }),
    );
  }

  private async tell(servers: readonly McpServer[]): Promise<void> {
    const notice = noticeOf(servers, vscode.workspace.workspaceFolders ?? []);
    if (!notice) {
      return;
    }
    const { text, action } = notice;
    const never = vscode.l10n.t("Don't Show Again");
    const choice = await showInformation(text, action.title, never);
    if (choice === action.title) {
      await vscode.commands.executeCommand(action.command, action.argument);
    } else if (choice === never) {
      await vscode.workspace
        .getConfiguration()
        .update(settingIds.notices, false, vscode.ConfigurationTarget.Global);
    }
  }
}
