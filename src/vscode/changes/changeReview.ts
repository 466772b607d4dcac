/** What the agent changed, in VS Code's own diff editors, and the questions that an undo may have. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ReviewedFile, UndoOutcome, UndoRequest } from '../../agent/changes/sessionChanges.js';
import type { Content } from '../../agent/changes/version.js';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import { type FileTexts, fileTextsOf } from '../../agent/panel/fileTexts.js';
import { DisposableOwner } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { realPathNow } from '../../platform/realPath.js';
import { undoReport } from '../../presentation/changes/undoReport.js';
import {
  booleanParam,
  oneOfParam,
  optionalStringParam,
  stringParam,
  stringsParam,
} from '../../presentation/params.js';
import {
  type ChangeAction,
  type ChangeRequests,
  changeActions,
} from '../../protocol/fileChanges.js';
import type { MessageHandlers } from '../../protocol/messages.js';
import type { RestoreRequests } from '../../protocol/restoring.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { showWarning } from '../notifications.js';

/** Files as they were before the agent; the path is the file's, so that its language is. */
const scheme = 'pi-mcp-before';

/** Shows files as they were before a conversation. */
export class BeforeDocuments extends DisposableOwner implements vscode.TextDocumentContentProvider {
  private readonly changeEmitter = this.store.add(new vscode.EventEmitter<vscode.Uri>());

  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly panel: Pick<AgentPanel, 'ensureSession' | 'shown' | 'live'>) {
    super();
    this.store.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  async provideTextDocumentContent({ fsPath, query }: vscode.Uri): Promise<string> {
    // a tab of an earlier window asks before the panel was opened
    await this.panel.ensureSession();
    const reviewed = this.panel.live(query) ?? this.panel.shown;
    // VS Code writes the drive of Windows in another case than the disk
    const path = realPathNow(fsPath);
    const [file] = (await reviewed?.builtInCalls.changes.review([path])) ?? [];
    return file ? shownText(file.before) : '';
  }

  /** They may be others. */
  refresh(): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (uri.scheme === scheme) {
        this.changeEmitter.fire(uri);
      }
    }
  }
}

export class ChangeReview extends DisposableOwner {
  readonly handlers: MessageHandlers<ChangeRequests & RestoreRequests>;

  private readonly reviewHandlers: MessageHandlers<ChangeRequests> = {
    openDiff: async (params) =>
      this.showCall(
        await fileTextsOf(this.panel.shown, {
          callId: optionalStringParam(params, 'callId'),
          approvalId: optionalStringParam(params, 'approvalId'),
        }),
      ),
    changes: (params) =>
      this.act(oneOfParam(params, 'action', changeActions), optionalStringParam(params, 'id')),
    changedFile: async (params) =>
      (await this.panel.shown?.builtInCalls.summary.hunks(this.pathParam(params))) ?? [],
    hunk: (params) =>
      this.changeHunk(
        oneOfParam(params, 'action', ['keep', 'undo']),
        this.pathParam(params),
        stringParam(params, 'hunk'),
      ),
  };

  constructor(
    private readonly panel: Pick<
      AgentPanel,
      'shown' | 'restoring' | 'onDidChangeState' | 'onDidReset' | 'conversation'
    >,
    private readonly documents: TextDocuments,
    before: BeforeDocuments,
  ) {
    super();
    this.handlers = {
      ...this.reviewHandlers,
      ...restoreHandlers(panel, (...shown) => this.showBeside(...shown)),
    };
    this.store.add(panel.onDidChangeState(() => before.refresh()));
    this.store.add(panel.onDidReset(() => before.refresh()));
  }

  /** @param path default: every file under review */
  async act(action: ChangeAction, path?: string): Promise<void> {
    const changes = this.changes();
    const paths = path === undefined ? undefined : [this.known(path)];
    switch (action) {
      case 'review':
        await this.showAll(await changes.review());
        break;
      case 'openDiff':
        await this.showFile((await changes.review(paths))[0]);
        break;
      case 'keep':
        await changes.keep(paths);
        break;
      case 'undo':
        await this.undo({ paths });
        break;
      case 'undoRun':
        await this.undo({ run: changes.lastRun });
        break;
      case 'redo':
        await this.redo();
        break;
    }
  }

  private async undo(request: UndoRequest): Promise<void> {
    const changes = this.changes();
    const outcomes = await changes.undo(request);
    for (const { path, isGone } of outcomes.filter(({ result }) => result === 'conflict')) {
      const choice = await this.askAbout(path, isGone);
      if (choice === 'undo') {
        report(await changes.undo({ ...request, paths: [path], isForced: true }));
      } else if (choice === 'diff') {
        await this.showForced(path);
      }
    }
    report(outcomes.filter(({ result }) => result !== 'conflict'));
  }

  private async redo(): Promise<void> {
    const changes = this.changes();
    await this.panel.restoring.redoConversation();
    const outcomes = await changes.redo();
    for (const { path } of outcomes.filter(({ result }) => result === 'conflict')) {
      const redo = vscode.l10n.t('Redo');
      const diff = vscode.l10n.t('Open Diff');
      const conflict = vscode.l10n.t('Others changed it since; that would go with it.');
      const message = vscode.l10n.t('{0}: {1}', basename(path), conflict);
      const choice = await showWarning(message, { modal: true }, diff, redo);
      if (choice === redo) {
        report(await changes.redo({ paths: [path], isForced: true }));
      } else if (choice === diff) {
        const [file] = await changes.review([path]);
        await this.showBeside(path, {
          now: file?.now ?? 'absent',
          after: await changes.forcedRedo(path),
        });
      }
    }
    report(outcomes.filter(({ result }) => result !== 'conflict'));
  }

  /** A part that is not there any more is left alone. */
  async changeHunk(action: 'keep' | 'undo', path: string, id: string): Promise<void> {
    const changes = this.changes();
    if (action === 'keep') {
      await changes.keepHunk(path, id);
      return;
    }
    const hunk = (await changes.hunks(path)).find((one) => one.id === id);
    const choice = hunk?.isMixed ? await this.askAbout(path) : 'undo';
    if (choice === 'undo') {
      await changes.undoHunk(path, id);
    } else if (choice === 'diff') {
      await this.showForced(path);
    }
  }

  private async askAbout(path: string, isGone = false): Promise<'undo' | 'diff' | undefined> {
    const undo = vscode.l10n.t('Undo');
    const diff = vscode.l10n.t('Open Diff');
    const conflict = isGone
      ? vscode.l10n.t('Deleted or moved since.')
      : vscode.l10n.t('Others changed the same lines since; those would be replaced.');
    const choice = await showWarning(
      vscode.l10n.t('{0}: {1}', basename(path), conflict),
      {
        modal: true,
        detail: isGone
          ? vscode.l10n.t('To undo what Pi did would bring it back as it was before.')
          : vscode.l10n.t('What the files hold now is kept: Redo brings it back.'),
      },
      ...(isGone ? [] : [diff]),
      undo,
    );
    return choice === undo ? 'undo' : choice === diff ? 'diff' : undefined;
  }

  /** What the file is now beside what an undo would leave. */
  private async showForced(path: string): Promise<void> {
    await this.showBeside(path, await this.changes().forcedUndo(path));
  }

  private async showBeside(
    path: string,
    { now, after }: { readonly now: Content; readonly after: Content },
  ): Promise<void> {
    const shown = (content: Content) =>
      this.documents.add(`/${basename(path)}`, shownText(content));
    // the file itself may be edited beside
    const left = now === 'absent' ? shown(now) : vscode.Uri.file(path);
    const title = vscode.l10n.t('{0}: proposed change', basename(path));
    await vscode.commands.executeCommand('vscode.diff', left, shown(after), title);
  }

  private async showCall({ path, before = '', after }: FileTexts): Promise<void> {
    const name = basename(path);
    const uris = [before, after].map((text) => this.documents.add(`/${name}`, text));
    const title = vscode.l10n.t('{0} (Changes by Pi)', name);
    await vscode.commands.executeCommand('vscode.diff', ...uris, title, { preview: true });
  }

  private async showAll(files: readonly ReviewedFile[]): Promise<void> {
    const rows = files.map(({ path, before, now }) => [
      vscode.Uri.file(path),
      before === 'absent' ? undefined : this.beforeUri(path),
      now === 'absent' ? undefined : vscode.Uri.file(path),
    ]);
    await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Changes by Pi'), rows);
  }

  private async showFile(file: ReviewedFile | undefined): Promise<void> {
    if (file) {
      const title = vscode.l10n.t('{0} (Changes by Pi)', basename(file.path));
      const now = vscode.Uri.file(file.path);
      await vscode.commands.executeCommand('vscode.diff', this.beforeUri(file.path), now, title);
    }
  }

  /** Of the file as it was before the conversation. */
  beforeUri(path: string): vscode.Uri {
    return vscode.Uri.file(path).with({ scheme, query: this.panel.conversation ?? '' });
  }

  private changes() {
    const { shown } = this.panel;
    if (!shown) {
      throw gone();
    }
    return shown.builtInCalls.changes;
  }

  private pathParam(params: unknown): string {
    return this.known(stringParam(params, 'id'));
  }

  /** The page names no file that is not under review. @throws {HumanError} */
  private known(path: string): string {
    if (!this.panel.shown?.builtInCalls.changes.state?.files.has(path)) {
      throw gone();
    }
    return path;
  }
}

/** @param showBeside shows what a file holds beside what it would */
function restoreHandlers(
  { restoring }: Pick<AgentPanel, 'restoring'>,
  showBeside: (
    path: string,
    contents: { readonly now: Content; readonly after: Content },
  ) => Promise<void>,
): MessageHandlers<RestoreRequests> {
  return {
    showRestore: (params) => restoring.show(stringParam(params, 'id')),
    leaveRestore: () => restoring.leave(),
    showRestoreDiff: async (params) => {
      const path = stringParam(params, 'id');
      await showBeside(path, restoring.plannedFile(path));
    },
    restore: async (params) => {
      const done = await restoring.restore({
        stamp: stringParam(params, 'stamp'),
        files: booleanParam(params, 'files'),
        conversation: booleanParam(params, 'conversation'),
        restored: stringsParam(params, 'restored'),
        left: stringsParam(params, 'left'),
      });
      return done ? { isDone: true, ...done } : { isDone: false };
    },
  };
}

function gone(): HumanError {
  return new HumanError('no_changes', vscode.l10n.t('There is no change by Pi here.'));
}

function shownText(content: Content): string {
  if (content === 'unread') {
    return vscode.l10n.t('Cannot be undone: what it held is not kept.');
  }
  return content === 'absent' ? '' : content.toString('utf8');
}

/** @throws {HumanError} that says what was not undone. */
function report(outcomes: readonly UndoOutcome[]): void {
  const problem = undoReport(outcomes);
  if (problem) {
    throw problem;
  }
}
