import * as l10n from '@vscode/l10n';

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

/** Such as `1.4 MB`; at least `1 KB`. */
export function sizeText(bytes: number): string {
  return bytes < megabyte
    ? l10n.t('{0} KB', Math.max(1, Math.round(bytes / kilobyte)))
    : l10n.t('{0} MB', (bytes / megabyte).toFixed(1));
}
