/** What is under review as the page shows it: files with counts, and what is not covered. */
import { relative } from 'node:path';
import * as l10n from '@vscode/l10n';
import { Coalescer } from '../../base/async/coalescer.js';
import { DisposableOwner } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import { counted } from '../../base/text/counted.js';
import { showHiddenInLine } from '../../base/text/showHidden.js';
import { changedRegions, splitLines } from '../../config/edit/changedRegions.js';
import { isWithin } from '../../platform/withinFolder.js';
import type { ChangedFileView, ChangesView, HunkView } from '../../protocol/fileChanges.js';
import type { ChangeState } from './changeState.js';
import { diffLines } from './changeView.js';
import type { OtherCounts } from './history.js';
import type { ReviewedFile, SessionChanges } from './sessionChanges.js';
import { type Content, sameContent, textOfBytes } from './version.js';

/** Files on the page. */
const maxFiles = 200;
/** Milliseconds: a run writes several files at once. */
const delayMs = 50;

export class ChangesSummary extends DisposableOwner {
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly update: Coalescer;
  private current: ChangesView | undefined;
  private stamp = 0;

  readonly onDidChange = this.changeEmitter.event;

  /** @param folder absolute */
  constructor(
    private readonly changes: SessionChanges,
    private readonly folder: string,
  ) {
    super();
    this.update = this.store.add(new Coalescer(() => this.read(), { delayMs }));
    this.store.add(changes.onDidChange(() => this.refresh()));
  }

  /** `undefined` while there is nothing to review or to redo. */
  get view(): ChangesView | undefined {
    return this.current;
  }

  /** Files may have been changed by others. */
  refresh(): void {
    this.update.request();
  }

  /** Parts of a file, bounded as the page is; none of what is no text. */
  async hunks(path: string): Promise<readonly HunkView[]> {
    const hunks = await this.changes.hunks(path);
    return hunks.map(({ id, before, now, region, isMixed }) => ({
      id,
      isMixed,
      lines: [
        ...diffLines('removed', before, region.aStart),
        ...diffLines('added', now, region.bStart),
      ],
    }));
  }

  private async read(): Promise<void> {
    const { state } = this.changes;
    const files = await this.changes.review();
    const canRedo = (state?.undone.length ?? 0) > 0 || state?.left !== undefined;
    const isEmpty = files.length === 0 && !canRedo;
    this.current = state && !isEmpty ? this.viewOf(state, files) : undefined;
    this.changeEmitter.fire();
  }

  private viewOf(state: ChangeState, files: readonly ReviewedFile[]): ChangesView {
    const { lastRun } = this.changes;
    const views = files.map((file) => this.fileView(file, lastRun));
    const uncovered = uncoveredText(state.others);
    return {
      files: views.slice(0, maxFiles),
      more: Math.max(0, views.length - maxFiles),
      added: views.reduce((sum, { added }) => sum + added, 0),
      removed: views.reduce((sum, { removed }) => sum + removed, 0),
      uncovered,
      undone: state.undone.length,
      isConversationLeft: state.left === undefined ? undefined : true,
      canUndoRun:
        views.some(({ isOfLastRun }) => isOfLastRun) &&
        files.some(({ runs }) => runs.some((run) => run !== lastRun)),
      stamp: ++this.stamp,
    };
  }

  private fileView({ path, before, now, isMixed, runs }: ReviewedFile, lastRun: number) {
    const counts = countLines(before, now);
    const sharedWith = this.changes.state?.shared.get(path);
    return {
      id: path,
      path: shownPath(path, this.folder),
      added: counts?.added ?? 0,
      removed: counts?.removed ?? 0,
      kind: kindOf(before, now, counts !== undefined),
      isMixed,
      isOfLastRun: runs.includes(lastRun),
      sharedWith,
    };
  }
}

/** @param folder absolute */
export function shownPath(path: string, folder: string): string {
  const below = isWithin(folder, path) ? relative(folder, path) : '';
  return showHiddenInLine(below || path);
}

function kindOf(before: Content, now: Content, isComparable: boolean): ChangedFileView['kind'] {
  if (now === 'absent') {
    return 'gone';
  }
  if (before === 'absent') {
    return 'created';
  }
  return isComparable || !(before === 'unread' || now === 'unread') ? 'edited' : 'unknown';
}

/** `undefined` for what is no text. */
export function countLines(before: Content, now: Content) {
  if (sameContent(before, now)) {
    return { added: 0, removed: 0 };
  }
  const [a, b] = [before, now].map((content) => (content === 'absent' ? '' : textOfBytes(content)));
  if (a === undefined || b === undefined) {
    return undefined;
  }
  const regions = changedRegions(splitLines(a), splitLines(b));
  return {
    added: regions.reduce((sum, { bStart, bEnd }) => sum + bEnd - bStart, 0),
    removed: regions.reduce((sum, { aStart, aEnd }) => sum + aEnd - aStart, 0),
  };
}

export function uncoveredText({ command, server }: OtherCounts): string | undefined {
  const commands = counted(l10n.t('1 command|{0} commands'), command);
  const calls = counted(l10n.t('1 MCP call|{0} MCP calls'), server);
  const uncovered = [...(command > 0 ? [commands] : []), ...(server > 0 ? [calls] : [])];
  return uncovered.length === 0
    ? undefined
    : l10n.t('Undo does not cover {0}.', uncovered.join(', '));
}
