import * as l10n from '@vscode/l10n';

/** In the place of a page that cannot be drawn any more; needs nothing of what drew it. */
export function showBrokenPage(reload: () => void): void {
  const page = document.createElement('main');
  page.className = 'broken-page';
  page.setAttribute('role', 'alert');
  const text = document.createElement('p');
  text.textContent = l10n.t('This view cannot be shown any more. Pi goes on with what it does.');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'broken-reload';
  button.textContent = l10n.t('Reload View');
  button.addEventListener('click', reload);
  page.append(text, button);
  document.body.replaceChildren(page);
  button.focus();
}
