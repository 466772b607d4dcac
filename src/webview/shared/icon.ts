import { html, type TemplateResult } from 'lit-html';
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
