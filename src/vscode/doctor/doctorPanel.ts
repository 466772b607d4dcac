import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { commandIds, doctorPanelType } from '../../contributions.js';
import type { CommandHandlers } from '../registerCommand.js';
import { webviewOptions } from '../webviews/webviewHtml.js';
import type { DoctorTabParts } from './openDoctor.js';

/** The tab that says what works, what does not, and what to do. Its code is loaded when it is first opened. */
export class DoctorPanel implements Disposable {
  private panel: vscode.WebviewPanel | undefined;

  constructor(private readonly parts: DoctorTabParts) {}

  get commands(): CommandHandlers {
    return { [commandIds.doctor]: () => this.show() };
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private async show(): Promise<void> {
    if (this.panel) {
      this.panel.reveal();
      return;
    }
    const { extensionUri } = this.parts;
    const panel = vscode.window.createWebviewPanel(
      doctorPanelType,
      vscode.l10n.t('Doctor'),
      vscode.ViewColumn.Active,
      webviewOptions(extensionUri),
    );
    const icons = vscode.Uri.joinPath(extensionUri, 'media', 'icons');
    panel.iconPath = {
      light: vscode.Uri.joinPath(icons, 'piMcp-light.svg'),
      dark: vscode.Uri.joinPath(icons, 'piMcp-dark.svg'),
    };
    const store = new DisposableStore();
    this.panel = panel;
    panel.onDidDispose(() => {
      store.dispose();
      this.panel = undefined;
    });
    const { OpenDoctor } = await import('./openDoctor.js');
    if (!store.isDisposed) {
      store.add(new OpenDoctor(panel, this.parts));
    }
  }
}
