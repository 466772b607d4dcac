import { html, nothing, type TemplateResult } from 'lit-html';
import type { IconView } from '../../protocol/agentProtocol.js';

/** A codicon that says nothing to screen readers: the words stand beside it. `~spin` appended makes it turn. */
export function icon(name: string, className = ''): TemplateResult {
  const [glyph, spin] = name.split('~');
  const classes = `codicon codicon-${glyph} ${spin ? 'codicon-modifier-spin' : ''} ${className}`;
  return html`<span class=${classes.trim()} aria-hidden="true"></span>`;
}

export function banner(
  kind: 'error' | 'warning' | 'info',
  text: string,
  more?: TemplateResult,
): TemplateResult {
  return html`<div class="banner ${kind}" role=${kind === 'error' ? 'alert' : 'note'}>
    ${icon(kind)}
    <p>${text}</p>
    ${more ?? nothing}
  </div>`;
}

/** What went wrong, which is read out when it appears. @param error none: nothing is shown @param more what can be done */
export function errorBanner(
  error: string | undefined,
  more?: TemplateResult,
): TemplateResult | typeof nothing {
  return error ? banner('error', error, more) : nothing;
}

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
