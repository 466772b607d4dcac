import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { isHumanError } from '../../base/errors.js';
import { asTexts } from '../../base/json.js';
import { labelText } from '../../base/text/labelText.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { McpServerId } from '../../config/definition.js';
import { commandIds, serverPanelType, storageKeys } from '../../contributions.js';
import { callsAsRecording } from '../../mcp/callLog/callsAsRecording.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import {
  type ImportedRecording,
  importRecording,
  maxRecordingBytes,
} from '../../mcp/traffic/recordingFile.js';
import type { McpRecording } from '../../mcp/trafficTypes.js';
import { readTextFile } from '../../platform/boundedFile.js';
import { RunHistory } from '../../presentation/runTool/runHistory.js';
import { readServerTab } from '../../presentation/tabState.js';
import { poolLabel } from '../../presentation/tree/presentation.js';
import {
  asTreeNode,
  serverOf,
  type ToolTarget,
  toolTarget,
} from '../../presentation/tree/targets.js';
import type { FormTarget } from '../../protocol/configProtocol.js';
import { type ServerPagePlace, serverTabs } from '../../protocol/server/serverProtocol.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { showWarning } from '../notifications.js';
import { pickLive } from '../prompts/picks/livePicker.js';
import { pickItemsByPool } from '../prompts/picks/picks.js';
import { chooseServer } from '../prompts/picks/serverPicker.js';
import type { ReportError } from '../reportError.js';
import { PageTabs } from '../webviews/pageTabs.js';
import { keptIn } from '../workspace/keptIn.js';
import { OpenServerPage, type ServerPageParts, type ServerSubject } from './serverPage.js';
import type { FormMemory, KeptForm } from './settingsTab.js';
import { nameOf, type RecordingPages } from './trafficTab.js';

export interface ServerPagesParts
  extends Omit<ServerPageParts, 'history' | 'pages' | 'keep' | 'memory' | 'saved' | 'close'> {
  readonly workspaceState: vscode.Memento;
  readonly reportError: ReportError;
  /** The servers of this window are known. */
  readonly loaded: Promise<unknown>;
}

const maxRecordings = 20;
/** Of the log of calls, the newest. */
const maxCalls = 5_000;

/** The pages that are open: one for each server, and one for each recording. */
export class ServerPages extends DisposableOwner implements RecordingPages {
  readonly tabs: PageTabs<ServerSubject, OpenServerPage>;
  private readings = 0;
  /** Key of the one that the next click on a row replaces. */
  private preview: string | undefined;
  /** Forms with changes that are not saved, by the keys of their tabs. */
  private readonly forms = new Map<string, KeptForm>();

  constructor(private readonly parts: ServerPagesParts) {
    super();
    const history = new RunHistory(keptIn(parts.workspaceState, storageKeys.toolRuns));
    this.tabs = this.store.add(
      new PageTabs<ServerSubject, OpenServerPage>({
        type: serverPanelType,
        extensionUri: parts.extensionUri,
        // what is half typed has no other form than the page
        extra: { retainContextWhenHidden: true },
        titleOf: (subject) => this.titleOf(subject),
        keyOf,
        read: (saved) => this.read(saved),
        onDidClose: (subject) => void this.askAboutForm(subject).catch(parts.reportError),
        open: (panel, subject) =>
          new OpenServerPage(panel, subject, {
            ...parts,
            memory: this.memoryOf(panel, subject),
            saved: (id, isStarted) => this.saved(subject, id, isStarted),
            close: () => panel.dispose(),
            history,
            pages: this,
            keep: () => {
              this.preview = this.preview === keyOf(subject) ? undefined : this.preview;
            },
          }),
      }),
    );
  }

  readonly commands: CommandHandlers = {
    [commandIds.openServer]: async (argument, _isFromMenu, [tab, at]) => {
      const { service } = this.parts;
      const title = vscode.l10n.t('Open Server');
      const server = await chooseServer(service, argument, { title });
      const named = serverTabs.find((one) => one === tab);
      const part = typeof at === 'string' ? at : undefined;
      const place = named === 'settings' ? { field: part } : { tool: part };
      this.show(server.id, { tab: named, ...place }, asTreeNode(argument)?.kind === 'server');
    },
    [commandIds.runTool]: async (argument) => {
      const { service } = this.parts;
      const { server, tool } =
        toolTarget(service, argument) ?? (await pickTool(service, serverOf(service, argument)));
      this.show(server.id, { tab: 'tools', tool: tool.name });
    },
    [commandIds.openRecording]: () => this.openRecording(),
  };

  /** A form of a new server of the pool, or of the settings of its file. */
  readonly openForm = (poolId: string, isSettings: boolean): void => {
    this.tabs.show(this.formSubject({ poolId, isSettings }));
  };

  /** @param isPreview the next one that is only looked at takes its place */
  private show(id: string, place: ServerPagePlace, isPreview = false): void {
    const { preview } = this;
    const isOpen = this.tabs.of(id) !== undefined;
    this.tabs.show(this.subjectOf(id, '')).show(place);
    if (isOpen) {
      this.preview = preview === id && !isPreview ? undefined : preview;
      return;
    }
    if (preview !== undefined && isPreview) {
      this.tabs.close(preview);
    }
    this.preview = isPreview ? id : preview;
  }

  /** Asks for a file. @throws {HumanError} when it is no recording. */
  async openRecording(): Promise<void> {
    const [uri] =
      (await vscode.window.showOpenDialog({
        title: vscode.l10n.t('Recording'),
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
      void showWarning(vscode.l10n.t('{0} lines were skipped.', recording.skipped));
    }
  }

  /** As it is now: the one that is open may be older. */
  async openCallLog(id: McpServerId): Promise<void> {
    const subject = await this.callsOf(id);
    this.tabs.close(keyOf(subject));
    this.tabs.show(subject);
  }

  private async callsOf(id: McpServerId): Promise<ServerSubject> {
    const server = this.parts.service.getServer(id);
    if (!server) {
      const reason = vscode.l10n.t('The MCP server does not exist any more.');
      return { kind: 'lost', path: id, reason, recording: this.noRecording() };
    }
    const { name, folder } = server.definition;
    const filter = { since: 0, folders: [folder?.fsPath], server: name, most: maxCalls };
    const found = await this.parts.callLog.files.read(filter);
    return { kind: 'calls', id, name, found, recording: callsAsRecording(found.calls) };
  }

  private formSubject(target: FormTarget): ServerSubject {
    const pool = this.parts.service.getPool(target.poolId);
    const title = target.isSettings
      ? vscode.l10n.t('{0}: {1}', vscode.l10n.t('Settings'), pool ? poolLabel(pool) : '')
      : vscode.l10n.t('Add Server');
    return { kind: 'form', target, title };
  }

  /** Marked as VS Code marks the tabs of its own editors. */
  private titleOf(subject: ServerSubject): string {
    if (subject.kind === 'calls') {
      return vscode.l10n.t('{0}: {1}', vscode.l10n.t('Calls'), nameToken(subject.name));
    }
    const title = subject.kind === 'form' ? subject.title : nameToken(nameOf(subject));
    return this.forms.get(keyOf(subject))?.unsaved === undefined ? title : `● ${title}`;
  }

  private memoryOf(panel: vscode.WebviewPanel, subject: ServerSubject): FormMemory {
    const key = keyOf(subject);
    return {
      recall: () => this.forms.get(key)?.form,
      keep: (kept) => {
        this.forms.set(key, kept);
        panel.title = this.titleOf(subject);
      },
    };
  }

  /** A new server, or one with a new name, has another page. */
  private async saved(subject: ServerSubject, id: string, isStarted: boolean): Promise<void> {
    const { service } = this.parts;
    if (!service.getServer(id)) {
      await service.reload();
    }
    const before = keyOf(subject);
    if (id !== before) {
      const kept = this.forms.get(before) ?? { form: undefined, unsaved: undefined };
      const isDone = subject.kind === 'form' && kept.unsaved === undefined;
      // what was typed while it was saved
      this.forms.set(id, kept).delete(before);
      this.show(id, { tab: isDone ? 'overview' : 'settings' });
      this.tabs.close(before);
    }
    if (isStarted) {
      await vscode.commands.executeCommand(commandIds.restartServer, id);
    }
  }

  /** Leaving the question loses nothing: the next tab has the form. */
  private async askAboutForm(subject: ServerSubject): Promise<void> {
    const key = keyOf(subject);
    const unsaved = this.forms.get(key)?.unsaved;
    if (unsaved === undefined) {
      return;
    }
    const keep = vscode.l10n.t('Keep Editing');
    const discard = vscode.l10n.t('Discard');
    const answer = await showWarning(
      vscode.l10n.t('{0}: your changes are not saved.', unsaved),
      {
        modal: true,
        detail: vscode.l10n.t('Until this window closes, they come back with the editor.'),
      },
      // the first one is that of Enter
      keep,
      discard,
    );
    if (answer === discard) {
      this.forms.delete(key);
    } else if (answer === keep) {
      this.tabs.show(subject).show({ tab: 'settings' });
    }
  }

  private subjectOf(id: string, known: string): Extract<ServerSubject, { kind: 'live' }> {
    const { service } = this.parts;
    const name = service.getServer(id)?.definition.name ?? known;
    return { kind: 'live', id, name, recording: service.traffic.of(id) };
  }

  private get recordings(): readonly string[] {
    return asTexts(this.parts.workspaceState.get(storageKeys.openedRecordings));
  }

  private async read(saved: unknown): Promise<ServerSubject> {
    const subject = readServerTab(saved);
    if (subject.kind === 'server') {
      await this.parts.loaded;
      const { tab, tool } = subject;
      return { ...this.subjectOf(subject.id, subject.name), place: { tab, tool } };
    }
    if (subject.kind === 'form') {
      return this.formSubject(subject.target);
    }
    if (subject.kind === 'calls') {
      await this.parts.loaded;
      return await this.callsOf(subject.id);
    }
    const { path } = subject;
    // a page names no file that the user did not choose
    if (!this.recordings.includes(path)) {
      const reason = vscode.l10n.t('This is not there any more.');
      return { kind: 'lost', path: '', reason, recording: this.noRecording() };
    }
    try {
      const recording = await readRecording(path);
      return { kind: 'imported', recording, path, reading: ++this.readings };
    } catch (error) {
      const reason = isHumanError(error)
        ? error.message
        : vscode.l10n.t('{0} cannot be read.', path);
      return { kind: 'lost', path, reason, recording: this.noRecording() };
    }
  }

  /** That of no server. */
  private noRecording(): McpRecording {
    return this.parts.service.traffic.of('');
  }
}

function keyOf(subject: ServerSubject): string {
  switch (subject.kind) {
    case 'live':
      return subject.id;
    case 'imported':
      return `recording ${subject.reading}`;
    case 'calls':
      return `calls ${subject.id}`;
    case 'lost':
      return `lost ${subject.path}`;
    case 'form':
      return `form ${subject.target.isSettings === true} ${subject.target.poolId}`;
  }
}

async function readRecording(path: string): Promise<ImportedRecording> {
  return importRecording(await readTextFile(path, maxRecordingBytes));
}

/** The user picks one of what the servers offer. @param only of this one */
async function pickTool(service: McpService, only?: McpServer): Promise<ToolTarget> {
  const isOffering = (server: McpServer) => !only || server === only;
  const read = () =>
    pickItemsByPool(service, ({ servers }) =>
      servers.filter(isOffering).flatMap((server) =>
        server.catalog.value.tools.map((tool) => ({
          label: `$(tools) ${labelText(tool.name)}`,
          description: labelText(server.definition.name),
          detail: tool.description ? labelText(tool.description.slice(0, 200)) : undefined,
          value: { server, tool },
        })),
      ),
    );
  return await pickLive<ToolTarget>({
    service,
    title: vscode.l10n.t('Run Tool'),
    placeholder: vscode.l10n.t('Choose a tool to run by hand'),
    read: async () => read(),
    isSame: (a, b) => a.server === b.server && a.tool.name === b.tool.name,
    isWaiting: () =>
      service.pools.some(({ servers }) =>
        servers.some((server) => isOffering(server) && server.state.value.kind === 'connecting'),
      ),
  });
}
