/** What a restore would do, in words and counts. */
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { RestoredFileView } from '../../../protocol/restoring.js';
import { countLines, shownPath, uncoveredText } from '../changesSummary.js';
import type { OtherCounts } from '../history.js';
import type { PlannedFile } from './restorePlan.js';

/** Files that are listed. */
const maxFiles = 1000;

/** @param folder absolute */
export function restoredFiles(
  files: readonly PlannedFile[],
  folder: string,
): readonly RestoredFileView[] {
  return files.slice(0, maxFiles).map((file) => fileView(file, folder));
}

export function restoreNotes(files: readonly PlannedFile[], others: OtherCounts) {
  const uncovered = uncoveredText(others);
  const more = files.length - maxFiles;
  return [
    ...(more > 0 ? [l10n.t('{0} more', more)] : []),
    ...(uncovered === undefined ? [] : [uncovered]),
  ];
}

/** Whether it is restored where the user has not chosen: what others wrote is replaced on request alone. */
export function isRestoredByItself({ after, conflict }: PlannedFile): boolean {
  return after !== 'unread' && conflict !== 'edited';
}

function fileView(file: PlannedFile, folder: string): RestoredFileView {
  const { path, now, after } = file;
  const counts = after === 'unread' ? undefined : countLines(now, after);
  return {
    id: path,
    path: shownPath(path, folder),
    becomes: becomes(file),
    added: counts?.added ?? 0,
    removed: counts?.removed ?? 0,
    remarks: remarksOn(file),
    isChosen: isRestoredByItself(file),
  };
}

function becomes({ now, after }: PlannedFile): RestoredFileView['becomes'] {
  switch (after) {
    case 'unread':
      return 'left';
    case 'absent':
      return 'deleted';
    default:
      return now === 'absent' ? 'created' : 'changed';
  }
}

function remarksOn(file: PlannedFile): readonly string[] {
  const { path, now, after, isMerged, conflict, isUnsaved } = file;
  if (after === 'unread') {
    return [
      now === 'unread'
        ? l10n.t('{0} cannot be read.', basename(path))
        : l10n.t('What it held is not kept.'),
    ];
  }
  return [
    ...(conflict === 'edited' && after === 'absent'
      ? [l10n.t('Others changed it since; that would go with it.')]
      : []),
    ...(conflict === 'edited' && after !== 'absent'
      ? [l10n.t('Others changed the same lines since; those would be replaced.')]
      : []),
    ...(conflict === 'deleted' ? [l10n.t('Deleted or moved since.')] : []),
    ...(isMerged ? [l10n.t('What others changed elsewhere in it stays.')] : []),
    ...(isUnsaved ? [l10n.t('Your unsaved changes are saved too.')] : []),
  ];
}
