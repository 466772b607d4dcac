import * as l10n from '@vscode/l10n';

/** Loads the translations that the extension put into the page; call before the first `l10n.t`. */
export function loadL10n(): void {
  const contents = document.getElementById('l10n')?.textContent;
  if (contents) {
    l10n.config({ contents });
  }
}
