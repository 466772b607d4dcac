import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import type { OtherClient } from '../../config/lint/lintTypes.js';
import { commandIds, storageKeys } from '../../contributions.js';
import { leaveFileQuestion } from '../../presentation/language/sharedFile.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { showWarning } from '../notifications.js';

const section = 'chat.mcp';
const access = `${section}.access`;

/** The MCP support of VS Code itself, which reads the `.mcp.json` of folders too and knows nothing of our consent. */
export class VsCodeMcp implements Disposable {
  private readonly store = new DisposableStore();
  private readonly emitter = this.store.add(new Emitter<void>());
  readonly onDidChange = this.emitter.event;

  constructor(private readonly workspaceState: vscode.Memento) {
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(section)) {
          this.emitter.fire();
        }
      }),
    );
  }

  /** It starts servers of folders: no other value of the setting does. An editor without it has no such setting. */
  get startsServers(): boolean {
    return vscode.workspace.getConfiguration().get(access) === 'all';
  }

  /** The user has not said yet what should be of a file that both read. */
  get isUndecided(): boolean {
    return this.startsServers && !this.workspaceState.get(storageKeys.sharesFiles, false);
  }

  /** Itself, where somebody set it up and did not switch it off. */
  get clients(): readonly OtherClient[] {
    return this.isInUse ? ['vscode'] : [];
  }

  private get isInUse(): boolean {
    const settings = vscode.workspace.getConfiguration(section);
    const isSetUp = ['access', 'discovery.enabled'].some((name) => {
      const setting = settings.inspect<unknown>(name);
      return (setting?.globalValue ?? setting?.workspaceValue) !== undefined;
    });
    return isSetUp && settings.get('access') !== 'none';
  }

  get commands(): CommandHandlers {
    return { [commandIds.leaveFileToPi]: () => this.leaveFiles() };
  }

  dispose(): void {
    this.store.dispose();
  }

  private async leaveFiles(): Promise<void> {
    const path = settingsPath();
    const { message, detail, write, keep } = leaveFileQuestion({
      setting: access,
      value: 'none',
      path,
    });
    const answer = await showWarning(message, { modal: true, detail }, write, keep);
    if (answer === write) {
      const settings = vscode.workspace.getConfiguration();
      await settings.update(access, 'none', vscode.ConfigurationTarget.Workspace);
    } else if (answer === keep) {
      await this.workspaceState.update(storageKeys.sharesFiles, true);
      this.emitter.fire();
    }
  }
}

/** Where a setting of the workspace is written. */
function settingsPath(): string {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  const [folder] = workspaceFolders ?? [];
  if (workspaceFile) {
    return workspaceFile.scheme === 'untitled'
      ? vscode.l10n.t('the settings of this workspace, which has no file yet')
      : workspaceFile.fsPath;
  }
  if (!folder) {
    throw new HumanError('no_folder', vscode.l10n.t('No folder is open.'), {
      remedy: vscode.l10n.t('Open the folder whose ".mcp.json" it is about.'),
    });
  }
  return join(folder.uri.fsPath, '.vscode', 'settings.json');
}
