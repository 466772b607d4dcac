import * as l10n from '@vscode/l10n';

export function signatureText(isSigned: boolean): string {
  return isSigned
    ? l10n.t('It carries a signature, which was not checked.')
    : l10n.t('It is not signed.');
}
