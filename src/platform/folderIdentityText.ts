import * as l10n from '@vscode/l10n';
import { showText } from '../base/text/showText.js';
import { directoryPrefix, type FolderIdentity, gitPrefix } from './folderIdentity.js';

export function identityText(identity: FolderIdentity | undefined): string {
  if (identity?.startsWith(gitPrefix)) {
    return l10n.t('the repository {0}', showText(identity.slice(gitPrefix.length)));
  }
  return identity?.startsWith(directoryPrefix)
    ? l10n.t('the directory {0} of its disk', showText(identity.split(':')[2] ?? ''))
    : l10n.t('a folder that nothing is known about');
}
