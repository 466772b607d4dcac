import * as l10n from '@vscode/l10n';
import { oneLine } from '../../base/text/plainText.js';

/** @param name of one of several accounts of a server */
export function accountLabel(name: string | undefined): string {
  return name === undefined ? l10n.t('Account Without a Name') : oneLine(name);
}
