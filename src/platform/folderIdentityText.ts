import * as l10n from '@vscode/l10n';
import { showText } from '../base/text/showText.js';
import { directoryPrefix, type FolderIdentity, gitPrefix } from './folderIdentity.js';

const nanosecondsPerMs = 1e6;

/** Two that differ read differently: by when they were made, or by their number where that is not known. */
export function identityText(identity: FolderIdentity | undefined): string {
  if (identity?.startsWith(gitPrefix)) {
    return l10n.t('the repository {0}', showText(identity.slice(gitPrefix.length)));
  }
  if (!identity?.startsWith(directoryPrefix)) {
    return l10n.t('a folder that nothing is known about');
  }
  const [, , number = '', born = ''] = identity.split(':');
  return /^\d{1,19}$/.test(born)
    ? l10n.t('the folder made {0}', timeText(Number(born) / nanosecondsPerMs))
    : l10n.t('the folder with the number {0}', showText(number));
}

/** Such as `2026-11-27 15:24:23.069 UTC`. @param ms since 1970 */
function timeText(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').replace('Z', ' UTC');
}
