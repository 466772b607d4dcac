import { html, nothing, type TemplateResult } from 'lit-html';
import { classMap } from 'lit-html/directives/class-map.js';

/** A codicon that says nothing to screen readers: the words stand beside it. `~spin` appended makes it turn. */
export function icon(name: string, className = ''): TemplateResult {
  const [glyph = '', spin] = name.split('~');
  const classes = {
    codicon: true,
    [`codicon-${glyph}`]: true,
    'codicon-modifier-spin': spin === 'spin',
    ...(className ? { [className]: true } : {}),
  };
  return html`<span class=${classMap(classes)} aria-hidden="true"></span>`;
}

/** What went wrong, which is read out when it appears. @param error none: nothing is shown */
export function errorBanner(error: string | undefined): TemplateResult | typeof nothing {
  return error
    ? html`<div class="banner error" role="alert">${icon('error')}<p>${error}</p></div>`
    : nothing;
}
