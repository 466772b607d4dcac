import * as vscode from 'vscode';
import type { ToolFeatures } from '../../agent/policy/toolFeatures.js';
import { DisposableOwner } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import type { McpServerId } from '../../config/definition.js';
import { serverUnknown } from '../../config/errors.js';
import { callsAsCsv, callsAsJsonLines } from '../../mcp/callLog/callExport.js';
import { daysOf, type FoundCalls } from '../../mcp/callLog/callFiles.js';
import type { CallLogOptions } from '../../mcp/callLog/callLog.js';
import { serverLogLevels } from '../../mcp/logTypes.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { exportHar } from '../../mcp/traffic/harFile.js';
import { exportRecording, type ImportedRecording } from '../../mcp/traffic/recordingFile.js';
import type { McpRecording } from '../../mcp/trafficTypes.js';
import { InspectorModel } from '../../presentation/inspector/inspectorModel.js';
import { sendAgain } from '../../presentation/inspector/replay.js';
import { replayQuestion } from '../../presentation/inspector/replayQuestion.js';
import {
  callLogView,
  importedView,
  liveView,
  lostView,
} from '../../presentation/inspector/view.js';
import { indexParam, oneOfParam, stringsParam } from '../../presentation/params.js';
import type {
  InspectorEvents,
  InspectorExport,
  InspectorRequests,
  InspectorView,
} from '../../protocol/inspector/inspectorProtocol.js';
import { MessageChannel, type MessageHandlers } from '../../protocol/messages.js';
import { trafficScope } from '../../protocol/server/serverProtocol.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { confirm } from '../notifications.js';
import type { PageKit } from '../webviews/webviewHtml.js';
import { serverName } from '../workspace/serverName.js';

export type TrafficSubject =
  | {
      readonly kind: 'live';
      readonly id: McpServerId;
      readonly name: string;
      readonly recording: McpRecording;
    }
  | {
      readonly kind: 'imported';
      readonly recording: ImportedRecording;
      readonly path: string;
      /** Tells readings of one file apart. */
      readonly reading: number;
    }
  /** What is logged of the calls of a server. */
  | {
      readonly kind: 'calls';
      readonly id: McpServerId;
      readonly name: string;
      readonly found: FoundCalls;
      readonly recording: McpRecording;
    }
  /** A recording that cannot be read again; the reason is a sentence. */
  | {
      readonly kind: 'lost';
      readonly path: string;
      readonly reason: string;
      /** An empty one. */
      readonly recording: McpRecording;
    };

export function nameOf(subject: TrafficSubject): string {
  switch (subject.kind) {
    case 'live':
    case 'calls':
      return subject.name;
    case 'imported':
      return subject.recording.server;
    case 'lost':
      return vscode.l10n.t('Recording');
  }
}

/** Where other recordings are shown. */
export interface RecordingPages {
  /** Of a file that the user chooses. */
  openRecording(): Promise<void>;
  openCallLog(id: McpServerId): Promise<void>;
}

export interface TrafficTabParts extends PageKit {
  readonly service: McpService;
  readonly features: Pick<ToolFeatures, 'statistics'>;
  readonly documents: TextDocuments;
  /** Of the extension. */
  readonly version: string;
  readonly pages: RecordingPages;
  /** Shows the server that it would add, which plays a recording. */
  readonly addMock: (name: string, path: string) => Promise<void>;
  readonly callLog: Pick<CallLogOptions, 'files' | 'keepDays'>;
}

/** What passes between us and a server, or what a recording holds of it. */
export class TrafficTab extends DisposableOwner {
  readonly channel: MessageChannel<InspectorEvents, InspectorRequests>;
  private readonly model: InspectorModel;
  private isReady = false;

  constructor(
    webview: vscode.Webview,
    private readonly subject: TrafficSubject,
    private readonly parts: TrafficTabParts,
  ) {
    super();
    this.model = this.store.add(new InspectorModel(this.recording));
    this.channel = this.store.add(
      new MessageChannel<InspectorEvents, InspectorRequests>({
        post: (message) => void webview.postMessage(message),
        scope: trafficScope,
        handlers: this.handlers(),
        logError: this.parts.logError,
      }),
    );
    this.store.add(
      this.model.onDidChangeRows((change) => {
        if (this.isReady) {
          this.channel.notify('rows', change);
        }
      }),
    );
  }

  /** The server's state, or whether it is there at all, has changed. */
  update(): void {
    if (this.isReady) {
      this.channel.notify('view', this.view);
    }
  }

  private get recording(): McpRecording {
    return this.subject.recording;
  }

  private get server(): McpServer | undefined {
    const { subject } = this;
    return subject.kind === 'live' ? this.parts.service.getServer(subject.id) : undefined;
  }

  private get view(): InspectorView {
    const { subject } = this;
    if (subject.kind === 'live') {
      const hasCallLog = daysOf(this.parts.callLog.keepDays()) > 0;
      return liveView(this.recording, this.server?.state.value, hasCallLog);
    }
    if (subject.kind === 'calls') {
      return callLogView(subject.name, subject.found);
    }
    return subject.kind === 'imported'
      ? importedView(subject.recording, subject.path)
      : lostView(subject.reason);
  }

  private handlers(): MessageHandlers<InspectorRequests> {
    const { model } = this;
    return {
      ready: () => {
        this.isReady = true;
        return { view: this.view, rows: model.rows };
      },
      details: (params) => model.details(indexParam(params, 'id'), this.server),
      whole: async (params) => {
        const text = await model.whole(indexParam(params, 'seq'));
        return text === undefined ? {} : { text };
      },
      find: (params) => ({ ids: model.find(stringsParam(params, 'words').slice(0, 20)) }),
      replay: (params) => this.replay(indexParam(params, 'id')),
      ping: async () => {
        const start = performance.now();
        await this.liveServer().direct.ping();
        return { ms: Math.round((performance.now() - start) * 10) / 10 };
      },
      setLogLevel: (params) =>
        this.liveServer().direct.setLogLevel(oneOfParam(params, 'level', serverLogLevels)),
      clear: () => this.recording.clear(),
      exportRecording: async (params) => {
        const to = oneOfParam(params, 'to', ['file', 'document', 'har', 'csv'] as const);
        await (to === 'document' ? this.showDocument() : this.saveFile(to));
      },
      importRecording: () => this.parts.pages.openRecording(),
      serveMock: () => this.serveMock(),
      openCallLog: () => this.parts.pages.openCallLog(this.liveServer().id),
    };
  }

  private async replay(id: number): Promise<void> {
    const server = this.liveServer();
    const replay = this.model.replay(id, server);
    if (replay?.kind !== 'send') {
      throw new HumanError(
        'no_replay',
        replay?.reason ?? vscode.l10n.t('Requests of this kind are not sent again.'),
      );
    }
    const { method, params } = replay;
    if (method === 'tools/call') {
      const { message, detail } = replayQuestion(server, params, serverName(server.definition));
      if (!(await confirm(message, { action: vscode.l10n.t('Run Again'), detail }))) {
        return;
      }
    }
    await sendAgain(server, replay, this.parts.features.statistics);
  }

  private async textAs(kind: InspectorExport): Promise<string> {
    const { subject, recording } = this;
    if (subject.kind === 'calls') {
      const { calls } = subject.found;
      return kind === 'csv' ? callsAsCsv(calls) : callsAsJsonLines(calls);
    }
    return kind === 'har'
      ? exportHar(recording.records, this.parts.version)
      : await exportRecording(nameOf(subject), recording, Date.now());
  }

  /** Writes no file but the one that the user names. */
  private async serveMock(): Promise<void> {
    const { subject } = this;
    if (subject.kind === 'calls' || subject.kind === 'lost') {
      throw serverUnknown();
    }
    const path = subject.kind === 'imported' ? subject.path : await this.saveFile('file');
    if (path !== undefined) {
      await this.parts.addMock(nameOf(subject), path);
    }
  }

  /** @returns its path; `undefined`: the user does not want it */
  private async saveFile(kind: Exclude<InspectorExport, 'document'>): Promise<string | undefined> {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const { title, type, ending } = this.fileKind(kind);
    const file = `${nameOf(this.subject).replaceAll(/[^\w-]+/g, '-') || 'recording'}.${ending}`;
    const uri = await vscode.window.showSaveDialog({
      title,
      filters: { [type]: [ending] },
      defaultUri: folder && vscode.Uri.joinPath(folder.uri, file),
    });
    if (uri) {
      await vscode.workspace.fs.writeFile(uri, Buffer.from(await this.textAs(kind)));
    }
    return uri?.fsPath;
  }

  private fileKind(kind: Exclude<InspectorExport, 'document'>) {
    if (kind === 'har') {
      const title = vscode.l10n.t('Export');
      return { title, type: vscode.l10n.t('HTTP Archives'), ending: 'har' };
    }
    return this.subject.kind === 'calls'
      ? {
          title: vscode.l10n.t('Export'),
          type: vscode.l10n.t('Logs of Calls'),
          ending: kind === 'csv' ? 'csv' : 'jsonl',
        }
      : {
          title: vscode.l10n.t('Export'),
          type: vscode.l10n.t('Recordings'),
          ending: 'jsonl',
        };
  }

  private async showDocument(): Promise<void> {
    await this.parts.documents.show(nameOf(this.subject), await this.textAs('document'), 'jsonl');
  }

  /** @throws {HumanError} when it is gone. */
  private liveServer(): McpServer {
    const { server } = this;
    if (!server) {
      throw serverUnknown();
    }
    return server;
  }
}
