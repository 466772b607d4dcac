/** A picture of a result over the whole page, where it can be made larger. Escape leads back to where it was opened. */
import * as l10n from '@vscode/l10n';
import { html, render } from 'lit-html';
import { iconButton } from '../../shared/buttons.js';
import { percentText } from '../../shared/numbers.js';

/** Of the width of the page. */
const factors = [1, 1.5, 2, 3, 4, 6, 8];

export function zoomPicture(src: string, label: string): void {
  const opener = document.activeElement;
  const dialog = document.createElement('dialog');
  dialog.className = 'picture-zoom';
  dialog.ariaLabel = label;
  let at = 0;
  const close = () => dialog.close();
  const change = (by: 1 | -1) => {
    at = Math.min(factors.length - 1, Math.max(0, at + by));
    draw();
  };
  const draw = () => {
    const percent = Math.round((factors[at] ?? 1) * 100);
    render(
      html`<div class="picture-zoom-head">
          ${iconButton(l10n.t('Zoom Out'), 'zoom-out', () => change(-1))}
          <span role="status">${percentText(percent / 100)}</span>
          ${iconButton(l10n.t('Zoom In'), 'zoom-in', () => change(1))}
          ${iconButton(l10n.t('Close'), 'close', close)}
        </div>
        <div class="picture-zoom-body" tabindex="0" role="group" aria-label=${label}>
          <img src=${src} alt=${label} />
        </div>`,
      dialog,
    );
    // the page lets no attribute of an element style it
    dialog.querySelector('img')?.style.setProperty('width', `${percent}%`);
  };
  // before the page below, which stops what runs with the same key
  const onKey = (event: KeyboardEvent) => {
    const by = ({ '+': 1, '-': -1 } as const)[event.key];
    if (event.key === 'Escape' || by) {
      event.preventDefault();
      event.stopPropagation();
      if (by) {
        change(by);
      } else {
        close();
      }
    }
  };
  document.addEventListener('keydown', onKey, { capture: true });
  dialog.addEventListener('click', ({ target }) => target === dialog && close());
  dialog.addEventListener('close', () => {
    document.removeEventListener('keydown', onKey, { capture: true });
    dialog.remove();
    if (opener instanceof HTMLElement) {
      opener.focus({ preventScroll: true });
    }
  });
  draw();
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector<HTMLElement>('.picture-zoom-body')?.focus();
}
