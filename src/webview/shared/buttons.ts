/** Buttons of every look, and the box of the component library, each drawn in one place. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { live } from 'lit-html/directives/live.js';
import { icon } from './icon.js';
import { isChecked } from './inputs.js';

type Words = string | TemplateResult;
type Run = (event: MouseEvent) => unknown;

export interface ButtonOptions {
  /** Its tooltip. */
  readonly title?: string;
  /** Read out in place of its words. */
  readonly label?: string;
  /** Default true. */
  readonly isEnabled?: boolean;
  /** Of what it unfolds. Default: it unfolds nothing. */
  readonly isExpanded?: boolean;
  readonly className?: string;
  /** Id of what says more. */
  readonly describedBy?: string;
  readonly id?: string;
  /** Among others of its kind: `data-action`. */
  readonly action?: string;
}

interface LinkOptions extends ButtonOptions {
  /** A codicon before its words. */
  readonly glyph?: string;
  /** Part of the page that it unfolds, by which it is found: `data-fold`. */
  readonly fold?: string;
}

/** What a page, a card or a form is for. */
export function mainButton(words: Words, run: Run, options?: ButtonOptions): TemplateResult {
  return largeButton('primary', words, run, options);
}

export function sideButton(words: Words, run: Run, options?: ButtonOptions): TemplateResult {
  return largeButton('secondary', words, run, options);
}

function largeButton(
  appearance: string,
  words: Words,
  run: Run,
  { id, title, label, isEnabled = true, isExpanded, className }: ButtonOptions = {},
): TemplateResult {
  return html`<vscode-button
    id=${ifDefined(id)}
    appearance=${appearance}
    class=${ifDefined(className)}
    aria-label=${ifDefined(label)}
    aria-expanded=${ifDefined(isExpanded)}
    title=${ifDefined(title)}
    ?disabled=${!isEnabled}
    @click=${run}
    >${words}</vscode-button
  >`;
}

/** @param change is told of what the user does, and not of what the page sets */
export function checkBox(
  words: Words,
  isOn: boolean,
  change: (isOn: boolean) => unknown,
  id?: string,
): TemplateResult {
  const tell = (event: Event) => {
    if (isChecked(event) !== isOn) {
      change(isChecked(event));
    }
  };
  // what hears of a value that is set has to be there before it
  return html`<vscode-checkbox id=${ifDefined(id)} @change=${tell} .checked=${live(isOn)}
    >${words}</vscode-checkbox
  >`;
}

function smallButton(
  className: string,
  content: unknown,
  run: Run,
  { id, title, label, isEnabled = true, isExpanded, describedBy, action, fold }: LinkOptions,
): TemplateResult {
  return html`<button
    type="button"
    id=${ifDefined(id)}
    class=${className}
    aria-label=${ifDefined(label)}
    aria-describedby=${ifDefined(describedBy)}
    aria-expanded=${ifDefined(isExpanded)}
    title=${ifDefined(title)}
    data-action=${ifDefined(action)}
    data-fold=${ifDefined(fold)}
    ?disabled=${!isEnabled}
    @click=${run}
  >
    ${content}
  </button>`;
}

/** A tooltip such as *Close (Esc)*. */
export function withKeys(label: string, keys: string | undefined): string {
  return keys === undefined ? label : `${label} (${keys})`;
}

interface IconOptions extends ButtonOptions {
  /** That do the same. */
  readonly keys?: string;
}

/** As {@link mainButton} and {@link sideButton}, in the look of the page of a server. */
export function plainButton(
  look: 'primary' | 'secondary',
  words: Words,
  run: Run,
  options: ButtonOptions = {},
): TemplateResult {
  return smallButton(look, words, run, options);
}

/** A button that is only a codicon, with its words for who points at it or hears it. */
export function iconButton(
  label: string,
  glyph: string,
  run: Run,
  { keys, ...options }: IconOptions = {},
): TemplateResult {
  const title = withKeys(label, keys);
  return smallButton('icon-button', icon(glyph), run, { title, ...options, label });
}

/** Words, with a codicon before them where there is one. */
export function linkButton(words: Words, run: Run, options: LinkOptions = {}): TemplateResult {
  const { glyph, className = '' } = options;
  const content = html`${glyph ? icon(glyph) : nothing}<span>${words}</span>`;
  return smallButton(`link-button ${className}`, content, run, options);
}

/** Coloured as links are: words that do something. */
export function actionLink(words: Words, run: Run, options: LinkOptions = {}): TemplateResult {
  const { glyph, className = '' } = options;
  const content = glyph ? html`${icon(glyph)}<span>${words}</span>` : words;
  return smallButton(`link-button link-action ${className}`, content, run, options);
}

/** Unfolds what stands below it. */
export function foldButton(
  words: Words,
  isExpanded: boolean,
  run: Run,
  options?: LinkOptions,
): TemplateResult {
  const glyph = isExpanded ? 'chevron-down' : 'chevron-right';
  return linkButton(words, run, { ...options, glyph, isExpanded });
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
