import * as vscode from 'vscode';
import { showInformation } from '../notifications.js';

/** Questions in a row that the user may decline before the app is not listened to any more. */
const maxDeclined = 3;

/** Asks before a link of an app opens, one at a time. */
export class AppLinks {
  private isAsking = false;
  private declined = 0;

  constructor(private readonly server: string) {}

  /** @returns whether it was opened. */
  async open(url: string, signal: AbortSignal): Promise<boolean> {
    if (this.isAsking || this.declined >= maxDeclined || signal.aborted) {
      return false;
    }
    this.isAsking = true;
    try {
      const isWanted = await this.ask(new URL(url));
      this.declined = isWanted ? 0 : this.declined + 1;
      return (
        isWanted &&
        !signal.aborted &&
        (await vscode.env.openExternal(vscode.Uri.parse(new URL(url).href, true)))
      );
    } finally {
      this.isAsking = false;
    }
  }

  private async ask({ host, href }: URL): Promise<boolean> {
    const open = vscode.l10n.t('Open {0}', host);
    const choice = await showInformation(
      vscode.l10n.t('The app of MCP server "{0}" asks to open a page of {1}.', this.server, host),
      { modal: true, detail: href },
      open,
    );
    return choice === open;
  }
}
