import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.js';
import { commandIds, doctorPanelType } from '../../contributions.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { PageTabs } from '../webviews/pageTabs.js';
import { type DoctorTabParts, OpenDoctor } from './openDoctor.js';

/** The tab that says what works, what does not, and what to do. */
export class DoctorPanel implements Disposable {
  readonly tabs: PageTabs<undefined, Disposable>;

  constructor(parts: DoctorTabParts) {
    this.tabs = new PageTabs<undefined, Disposable>({
      type: doctorPanelType,
      extensionUri: parts.extensionUri,
      titleOf: () => vscode.l10n.t('Doctor'),
      read: () => undefined,
      open: (panel) => new OpenDoctor(panel, parts),
    });
  }

  get commands(): CommandHandlers {
    return { [commandIds.doctor]: () => void this.tabs.show(undefined) };
  }

  dispose(): void {
    this.tabs.dispose();
  }
}
