import { html, type TemplateResult } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { icon } from './icon.js';

export interface IconButtonOptions {
  /** Its tooltip. Default: the label. */
  readonly title?: string;
  /** Default true. */
  readonly isEnabled?: boolean;
  /** Of what it unfolds. Default: it unfolds nothing. */
  readonly isExpanded?: boolean;
}

/** A button that is only a codicon, with its words for who points at it or hears it. */
export function iconButton(
  label: string,
  glyph: string,
  run: (event: MouseEvent) => unknown,
  { title = label, isEnabled = true, isExpanded }: IconButtonOptions = {},
): TemplateResult {
  return html`<button
    type="button"
    class="icon-button"
    aria-label=${label}
    title=${title}
    aria-expanded=${ifDefined(isExpanded)}
    ?disabled=${!isEnabled}
    @click=${run}
  >
    ${icon(glyph)}
  </button>`;
}

/** Opens VS Code's own menu for the section, which also opens by a right click. */
export function menuButton(label: string, context: object): TemplateResult {
  const json = JSON.stringify({ ...context, preventDefaultContextMenuItems: true });
  return html`<span data-vscode-context=${json}>
    ${iconButton(label, 'ellipsis', (event: MouseEvent) => {
      const button = event.currentTarget as HTMLElement;
      const { left: clientX, bottom: clientY } = button.getBoundingClientRect();
      event.stopPropagation();
      button.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, clientX, clientY }));
    })}
  </span>`;
}
