import * as l10n from '@vscode/l10n';
import { showText } from '../base/text/showText.js';
import { directoryPrefix, type FolderIdentity, gitPrefix } from './folderIdentity.js';

const nanosecondsPerMs = 1e6;

/** Two that differ read differently: the number of a directory is given out again, its time of birth is not. */
export function identityText(identity: FolderIdentity | undefined): string {
  if (identity?.startsWith(gitPrefix)) {
    return l10n.t('the repository {0}', showText(identity.slice(gitPrefix.length)));
  }
  if (!identity?.startsWith(directoryPrefix)) {
    return l10n.t('a folder that nothing is known about');
  }
  const [, , number = '', born = ''] = identity.split(':');
  return /^\d{1,19}$/.test(born)
    ? l10n.t(
        'the directory {0} of its disk, made {1}',
        showText(number),
        new Date(Number(born) / nanosecondsPerMs).toISOString(),
      )
    : l10n.t('the directory {0} of its disk', showText(number));
}
