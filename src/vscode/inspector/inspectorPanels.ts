import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { isHumanError } from '../../base/errors.js';
import { inspectorPanelType, storageKeys } from '../../contributions.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import {
  type ImportedRecording,
  importRecording,
  maxRecordingBytes,
} from '../../mcp/traffic/recordingFile.js';
import type { McpRecording } from '../../mcp/trafficTypes.js';
import { readTextFile } from '../../platform/boundedFile.js';
import { readInspected } from '../../presentation/tabState.js';
import { showWarning } from '../notifications.js';
import { PageTabs } from '../webviews/pageTabs.js';
import {
  InspectorPanel,
  type InspectorPanelParts,
  type InspectorSubject,
  inspectorTitle,
} from './inspectorPanel.js';

export interface InspectorPanelsParts extends Omit<InspectorPanelParts, 'openRecording'> {
  readonly workspaceState: vscode.Memento;
  /** The servers of this window are known. */
  readonly loaded: Promise<unknown>;
}

const maxRecordings = 20;

/** The Inspectors that are open: one for each server, and one for each recording. */
export class InspectorPanels implements Disposable {
  private readonly store = new DisposableStore();
  readonly tabs: PageTabs<InspectorSubject, InspectorPanel>;
  private readings = 0;

  constructor(private readonly parts: InspectorPanelsParts) {
    const { service } = parts;
    this.tabs = this.store.add(
      new PageTabs<InspectorSubject, InspectorPanel>({
        type: inspectorPanelType,
        extensionUri: parts.extensionUri,
        extra: { retainContextWhenHidden: true },
        titleOf: inspectorTitle,
        keyOf,
        read: (saved) => this.read(saved),
        open: (panel, subject) =>
          new InspectorPanel(panel, subject, {
            ...this.parts,
            openRecording: () => this.openRecording(),
          }),
      }),
    );
    this.store.add(service.onDidChangeServer(({ id }) => this.tabs.of(id)?.update()));
    this.store.add(
      service.onDidChangePools(() => {
        for (const panel of this.tabs.all) {
          panel.update();
        }
      }),
    );
  }

  async show({ id, definition }: McpServer): Promise<void> {
    const recording = this.parts.service.traffic.of(id);
    this.tabs.show({ kind: 'live', id, name: definition.name, recording });
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
    const path = uri.fsPath;
    const recording = await readRecording(path);
    const others = this.recordings.filter((one) => one !== path);
    const recent = [path, ...others].slice(0, maxRecordings);
    await this.parts.workspaceState.update(storageKeys.openedRecordings, recent);
    this.tabs.show({ kind: 'imported', recording, path, reading: ++this.readings });
    if (recording.skipped > 0) {
      void showWarning(
        vscode.l10n.t('{0} lines of the recording could not be read.', recording.skipped),
      );
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private get recordings(): readonly string[] {
    const stored = this.parts.workspaceState.get(storageKeys.openedRecordings);
    return Array.isArray(stored)
      ? stored.filter((one): one is string => typeof one === 'string')
      : [];
  }

  private async read(saved: unknown): Promise<InspectorSubject> {
    const subject = readInspected(saved);
    if (subject.kind === 'server') {
      await this.parts.loaded;
      const { id } = subject;
      const name = this.parts.service.getServer(id)?.definition.name ?? subject.name;
      return { kind: 'live', id, name, recording: this.parts.service.traffic.of(id) };
    }
    const { path } = subject;
    // a page names no file that the user did not choose
    if (!this.recordings.includes(path)) {
      const reason = vscode.l10n.t('The recording is not known any more. Open its file again.');
      return { kind: 'lost', path: '', reason, recording: this.noRecording() };
    }
    try {
      const recording = await readRecording(path);
      return { kind: 'imported', recording, path, reading: ++this.readings };
    } catch (error) {
      const reason = isHumanError(error)
        ? error.message
        : vscode.l10n.t('The file {0} cannot be read any more. Open another recording.', path);
      return { kind: 'lost', path, reason, recording: this.noRecording() };
    }
  }

  /** That of no server. */
  private noRecording(): McpRecording {
    return this.parts.service.traffic.of('');
  }
}

function keyOf(subject: InspectorSubject): string {
  switch (subject.kind) {
    case 'live':
      return subject.id;
    case 'imported':
      return `recording ${subject.reading}`;
    case 'lost':
      return `lost ${subject.path}`;
  }
}

async function readRecording(path: string): Promise<ImportedRecording> {
  return importRecording(await readTextFile(path, maxRecordingBytes));
}
