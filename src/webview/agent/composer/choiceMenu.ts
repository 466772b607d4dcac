/** A list above the input from which the keys choose while the input keeps the focus. */
import { html, type TemplateResult } from 'lit-html';

export interface ChoiceMenu {
  /** Of the list; its options are `<id>-<index>`. */
  readonly id: string;
  readonly label: string;
  /** Of the option that Enter takes. */
  readonly index: number;
  readonly options: readonly TemplateResult[];
  readonly pick: (index: number) => void;
}

export function choiceMenu({ id, label, index, options, pick }: ChoiceMenu): TemplateResult {
  return html`<ul id=${id} class="choice-menu" role="listbox" tabindex="0" aria-label=${label}>
    ${options.map(
      (option, at) => html`<li
        id=${`${id}-${at}`}
        role="option"
        aria-selected=${at === index}
        @mousedown=${(event: Event) => {
          // the text area keeps the focus
          event.preventDefault();
          pick(at);
        }}
      >${option}</li>`,
    )}
  </ul>`;
}

/** What Enter takes. */
export interface PickedOption {
  /** Id of the list. */
  readonly menu: string;
  readonly index: number;
}

export interface MenuKeys {
  readonly count: number;
  readonly index: number;
  readonly select: (index: number) => void;
  readonly pick: (index: number) => void;
  readonly close: () => void;
}

/** @returns whether the key was for the menu. */
export function handleMenuKey(
  { key, shiftKey }: KeyboardEvent,
  { count, index, select, pick, close }: MenuKeys,
): boolean {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowUp':
      select((index + (key === 'ArrowDown' ? 1 : -1) + count) % count);
      return true;
    case 'Enter':
    case 'Tab':
      if (shiftKey) {
        return false;
      }
      pick(index);
      return true;
    case 'Escape':
      close();
      return true;
    default:
      return false;
  }
}
