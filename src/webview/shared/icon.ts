import { html, nothing, type TemplateResult } from 'lit-html';

/** A codicon that says nothing to screen readers: the words stand beside it. `~spin` appended makes it turn. */
export function icon(name: string, className = ''): TemplateResult {
  const [glyph, spin] = name.split('~');
  const classes = `codicon codicon-${glyph} ${spin ? 'codicon-modifier-spin' : ''} ${className}`;
  return html`<span class=${classes.trim()} aria-hidden="true"></span>`;
}

export function banner(kind: 'error' | 'warning' | 'info', text: string): TemplateResult {
  return html`<div class="banner ${kind}" role=${kind === 'error' ? 'alert' : 'note'}>
    ${icon(kind)}
    <p>${text}</p>
  </div>`;
}

/** What went wrong, which is read out when it appears. @param error none: nothing is shown */
export function errorBanner(error: string | undefined): TemplateResult | typeof nothing {
  return error ? banner('error', error) : nothing;
}
