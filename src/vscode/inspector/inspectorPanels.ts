import * as vscode from 'vscode';
import { type Disposable, DisposableMap, DisposableStore } from '../../base/disposable.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import { importRecording, maxRecordingBytes } from '../../mcp/traffic/recordingFile.js';
import { readTextFile } from '../../platform/boundedFile.js';
import { showWarning } from '../notifications.js';
import { InspectorPanel, type InspectorPanelParts } from './inspectorPanel.js';

/** The Inspectors that are open: one for each server, and one for each recording. */
export class InspectorPanels implements Disposable {
  private readonly store = new DisposableStore();
  private readonly panels = this.store.add(new DisposableMap<string, InspectorPanel>());
  private recordings = 0;

  constructor(private readonly parts: Omit<InspectorPanelParts, 'openRecording'>) {
    const { service } = parts;
    this.store.add(service.onDidChangeServer(({ id }) => this.panels.get(id)?.update()));
    this.store.add(
      service.onDidChangePools(() => {
        for (const panel of this.panels.values()) {
          panel.update();
        }
      }),
    );
  }

  show(server: McpServer): void {
    const { id, definition } = server;
    const shown = this.panels.get(id);
    if (shown) {
      shown.reveal();
      return;
    }
    this.open(id, { kind: 'live', id, name: definition.name });
  }

  /** Asks for a file. @throws {HumanError} when it is no recording. */
  async openRecording(): Promise<void> {
    const [uri] =
      (await vscode.window.showOpenDialog({
        title: vscode.l10n.t('Open Recording'),
        filters: { [vscode.l10n.t('Recordings')]: ['jsonl'] },
      })) ?? [];
    if (!uri) {
      return;
    }
    const recording = importRecording(await readTextFile(uri.fsPath, maxRecordingBytes));
    const key = `recording ${++this.recordings}`;
    this.open(key, { kind: 'imported', recording, path: uri.fsPath });
    if (recording.skipped > 0) {
      void showWarning(
        vscode.l10n.t('{0} lines of the recording could not be read.', recording.skipped),
      );
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private open(key: string, subject: InspectorPanel['subject']): void {
    const panel = new InspectorPanel(subject, {
      ...this.parts,
      openRecording: () => this.openRecording(),
    });
    this.panels.set(key, panel);
    panel.onDidDispose(() => this.panels.delete(key));
  }
}
