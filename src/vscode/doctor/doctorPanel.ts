import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { commandIds, doctorPanelType } from '../../contributions.js';
import type { CommandHandlers } from '../registerCommand.js';
import { PageTabs } from '../webviews/pageTabs.js';
import type { DoctorTabParts } from './openDoctor.js';

/** The tab that says what works, what does not, and what to do. Its code is loaded when it is first opened. */
export class DoctorPanel implements Disposable {
  readonly tabs: PageTabs<undefined, Disposable>;

  constructor(parts: DoctorTabParts) {
    this.tabs = new PageTabs<undefined, Disposable>({
      type: doctorPanelType,
      extensionUri: parts.extensionUri,
      titleOf: () => vscode.l10n.t('Doctor'),
      read: () => undefined,
      open: (panel) => {
        const store = new DisposableStore();
        fill(panel, store, parts).catch((error) => parts.logError(`doctor: ${String(error)}`));
        return store;
      },
    });
  }

  get commands(): CommandHandlers {
    return { [commandIds.doctor]: () => void this.tabs.show(undefined) };
  }

  dispose(): void {
    this.tabs.dispose();
  }
}

async function fill(
  panel: vscode.WebviewPanel,
  store: DisposableStore,
  parts: DoctorTabParts,
): Promise<void> {
  const { OpenDoctor } = await import('./openDoctor.js');
  if (!store.isDisposed) {
    store.add(new OpenDoctor(panel, parts));
  }
}
