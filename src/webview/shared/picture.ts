import { html, nothing, type TemplateResult } from 'lit-html';
import type { IconView } from '../../protocol/agentProtocol.js';

const imagePattern = /^data:image\/(png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/=]+$/;

/** An icon that a server sent. It says nothing to screen readers: the words stand beside it. */
export function picture(view: IconView | undefined): TemplateResult | typeof nothing {
  if (!view || ![view.light, view.dark].every((src) => imagePattern.test(src))) {
    return nothing;
  }
  return view.light === view.dark
    ? image(view.light, '')
    : html`${image(view.light, 'for-light')}${image(view.dark, 'for-dark')}`;
}

function image(src: string, className: string): TemplateResult {
  return html`<img class="picture ${className}" src=${src} alt="" />`;
}
