/** What Pi changed, in VS Code's own source control: marks in the gutter, a list of files, and parts to keep or undo. */
import * as vscode from 'vscode';
import { hunksAt, lineOfHunk } from '../../agent/changes/hunks.js';
import type { AgentPanel } from '../../agent/panel/agentPanel.js';
import {
  type Disposable,
  DisposableOwner,
  DisposableStore,
  MutableDisposable,
} from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import type { Event } from '../../base/event.js';
import { commandIds, contextKeys } from '../../contributions.js';
import { realPathNow } from '../../platform/realPath.js';
import type { ChangedFileView, ChangesView } from '../../protocol/fileChanges.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { ContextValues } from '../workspace/contextValues.js';
import type { ChangeReview } from './changeReview.js';

/** A panel of the agent. */
interface ReviewedPanel {
  readonly model: Pick<AgentPanel, 'shown' | 'snapshot' | 'onDidChangeState' | 'onDidReset'>;
  readonly review: ChangeReview;
}

/** Lines of an editor, counted from 0, both included. */
interface Lines {
  readonly from: number;
  readonly to: number;
}

type Direction = 'next' | 'previous';

export class EditorReview extends DisposableOwner {
  private readonly control = this.store.add(new MutableDisposable<FileControl>());
  private readonly following = this.store.add(new MutableDisposable<DisposableStore>());
  private readonly keys = new ContextValues();
  private listed: ChangesView | undefined;

  readonly handlers: CommandHandlers = {
    // the key of the other direction says so
    [commandIds.nextChange]: (way) => this.step(way === 'previous' ? 'previous' : 'next'),
    [commandIds.keepChange]: (uri, _isFromMenu, [changes, index]) =>
      this.changeParts('keep', uri, lineChange(changes, index)),
    [commandIds.undoChange]: (uri, _isFromMenu, [changes, index]) =>
      this.changeParts('undo', uri, lineChange(changes, index)),
    [commandIds.keepFileChanges]: (file) => this.panel.review.act('keep', pathOf(file)),
    [commandIds.undoFileChanges]: (file) => this.panel.review.act('undo', pathOf(file)),
  };

  /** @param find the panel where the user was last */
  constructor(
    private readonly find: () => ReviewedPanel,
    onDidChangePlaces: Event<void>,
  ) {
    super();
    this.store.add(onDidChangePlaces(() => this.follow()));
    this.store.add(vscode.window.onDidChangeActiveTextEditor(() => this.showKeys()));
    this.follow();
  }

  private get panel(): ReviewedPanel {
    return this.find();
  }

  private get files(): readonly ChangedFileView[] {
    return this.listed?.files.filter(({ kind }) => kind !== 'unknown') ?? [];
  }

  private follow(): void {
    const { model } = this.panel;
    const following = new DisposableStore();
    this.following.value = following;
    following.add(model.onDidChangeState(() => this.render()));
    following.add(model.onDidReset(() => this.render()));
    this.render();
  }

  private render(): void {
    const { changes } = this.panel.model.snapshot().state;
    // a state changes many times while Pi works, and these seldom
    if (changes === this.listed) {
      return;
    }
    this.listed = changes;
    this.showKeys();
    const { files } = this;
    if (files.length === 0) {
      this.control.value = undefined;
      return;
    }
    this.control.value ??= new FileControl((file) => this.panel.review.beforeUri(file));
    this.control.value.show(files);
  }

  private showKeys(): void {
    const { activeTextEditor: editor } = vscode.window;
    const { files } = this;
    const path = editor && files.length > 0 ? pathIn(editor.document.uri) : undefined;
    this.keys.set({ [contextKeys.editorHasChanges]: files.some(({ id }) => id === path) });
  }

  /** Goes on in the next file after the last part of one, and comes round again. */
  private async step(direction: Direction): Promise<void> {
    const files = this.files.filter(({ kind }) => kind !== 'gone').map(({ id }) => id);
    const editor = vscode.window.activeTextEditor;
    const path = editor && pathIn(editor.document.uri);
    const at = path === undefined ? -1 : files.indexOf(path);
    if (editor && at !== -1) {
      const line = editor.selection.active.line;
      if (await this.showBeside(editor, files[at] ?? '', direction, line)) {
        return;
      }
    }
    const isBack = direction === 'previous';
    for (let step = 1; step <= files.length; step++) {
      const index = isBack ? (at === -1 ? files.length : at) - step : at + step;
      const next = files.at(index % files.length);
      if (next !== undefined && (await this.showFirst(next, direction))) {
        return;
      }
    }
    throw new HumanError('no_changes', vscode.l10n.t('There is no change by Pi here.'));
  }

  private async showFirst(path: string, direction: Direction): Promise<boolean> {
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(path));
    const beyond = direction === 'next' ? -1 : editor.document.lineCount;
    return await this.showBeside(editor, path, direction, beyond);
  }

  /** @returns false when there is no part on that side of the line. */
  private async showBeside(
    editor: vscode.TextEditor,
    path: string,
    direction: Direction,
    line: number,
  ): Promise<boolean> {
    const lines = (await this.hunks(path)).map((hunk) =>
      lineOfHunk(hunk, editor.document.lineCount),
    );
    const index =
      direction === 'next'
        ? lines.findIndex((one) => one > line)
        : lines.findLastIndex((one) => one < line);
    const found = lines[index];
    if (found === undefined) {
      return false;
    }
    const start = new vscode.Position(found, 0);
    editor.selection = new vscode.Selection(start, start);
    editor.revealRange(
      new vscode.Range(start, start),
      vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
    const place = vscode.l10n.t('{0} of {1}', index + 1, lines.length);
    vscode.window.setStatusBarMessage(
      vscode.l10n.t('{0}: {1}', vscode.l10n.t('Changes by Pi'), place),
      messageMs,
    );
    return true;
  }

  /** @param lines default: those of the cursor, which goes on to the next part */
  private async changeParts(
    action: 'keep' | 'undo',
    uri: unknown,
    lines: Lines | undefined,
  ): Promise<void> {
    const path = pathOf(uri);
    const { from, to } = lines ?? cursorLines();
    const hunks = await this.hunks(path);
    const exact = hunks.filter(
      ({ region: { bStart, bEnd } }) => bStart === from && bEnd === to + 1,
    );
    const found = exact.length > 0 ? exact : hunksAt(hunks, from, to);
    if (found.length === 0) {
      throw new HumanError('no_changes', vscode.l10n.t('There is no change by Pi here.'));
    }
    // from the last to the first, so that lines above stay where they are
    for (const { region } of found.toReversed()) {
      const same = (await this.hunks(path)).find(
        (hunk) => hunk.region.bStart === region.bStart && hunk.region.bEnd === region.bEnd,
      );
      if (same) {
        await this.panel.review.changeHunk(action, path, same.id);
      }
    }
    if (!lines) {
      await this.goOn();
    }
  }

  /** The last part of all leaves the user where they are. */
  private async goOn(): Promise<void> {
    if (this.panel.model.shown?.builtInCalls.changes.state?.files.size) {
      await this.step('next');
    }
  }

  private async hunks(path: string) {
    const changes = this.panel.model.shown?.builtInCalls.changes;
    return changes?.state?.files.has(path) ? await changes.hunks(path) : [];
  }
}

/** Milliseconds that the status bar says which change it is. */
const messageMs = 5_000;

/** The list of files, as a source control of its own beside git's. */
class FileControl implements Disposable {
  private readonly control = vscode.scm.createSourceControl('piMcpChanges', 'Pi');
  private readonly group = this.control.createResourceGroup(
    'changes',
    vscode.l10n.t('Changes by Pi'),
  );
  private paths: ReadonlySet<string> = new Set();

  constructor(private readonly before: (path: string) => vscode.Uri) {
    this.control.inputBox.visible = false;
    // a badge would count them beside those of git
    this.control.count = 0;
    this.control.quickDiffProvider = {
      provideOriginalResource: (uri) => {
        const path = pathIn(uri);
        return path !== undefined && this.paths.has(path) ? before(path) : undefined;
      },
    };
  }

  show(files: readonly ChangedFileView[]): void {
    this.paths = new Set(files.map(({ id }) => id));
    this.group.resourceStates = files.map((file) => this.stateOf(file));
  }

  dispose(): void {
    this.control.dispose();
  }

  private stateOf({ id, path, kind }: ChangedFileView): vscode.SourceControlResourceState {
    const resourceUri = vscode.Uri.file(id);
    const isGone = kind === 'gone';
    const title = vscode.l10n.t('{0} (Changes by Pi)', path);
    return {
      resourceUri,
      contextValue: kind,
      decorations: { strikeThrough: isGone, tooltip: title },
      command: isGone
        ? { command: 'vscode.open', title, arguments: [this.before(id)] }
        : { command: 'vscode.diff', title, arguments: [this.before(id), resourceUri, title] },
    };
  }
}

/** An editor may have been opened through a link. */
function pathIn(uri: vscode.Uri): string | undefined {
  return uri.scheme === 'file' ? realPathNow(uri.fsPath) : undefined;
}

/** @param file what a menu passes: a file, or a row of the list; default: the file of the active editor. @throws {HumanError} */
function pathOf(file: unknown): string {
  const row = file as { readonly resourceUri?: unknown } | undefined;
  const uri =
    [file, row?.resourceUri].find((one) => one instanceof vscode.Uri) ??
    vscode.window.activeTextEditor?.document.uri;
  const path = uri instanceof vscode.Uri ? pathIn(uri) : undefined;
  if (path === undefined) {
    throw new HumanError('no_changes', vscode.l10n.t('There is no change by Pi here.'));
  }
  return path;
}

function cursorLines(): Lines {
  const selection = vscode.window.activeTextEditor?.selection;
  return { from: selection?.start.line ?? 0, to: selection?.end.line ?? 0 };
}

/** What the menu of a change in the gutter passes: every change of the file, and which one; lines are counted from 1, and an end of 0 means that lines were taken out after the start. */
function lineChange(changes: unknown, index: unknown): Lines | undefined {
  const change: unknown = Array.isArray(changes) ? changes[Number(index)] : undefined;
  const { modifiedStartLineNumber: start, modifiedEndLineNumber: end } = (change ?? {}) as {
    readonly modifiedStartLineNumber?: unknown;
    readonly modifiedEndLineNumber?: unknown;
  };
  if (typeof start !== 'number' || typeof end !== 'number') {
    return undefined;
  }
  return end === 0 ? { from: start, to: start - 1 } : { from: start - 1, to: end - 1 };
}
