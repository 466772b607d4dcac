import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { FieldDraft } from '../../base/form/fieldDraft.js';
import { inputText } from '../shared/inputs.js';
import { describedBy, type FormContext, fieldId } from './formContext.js';

const maxShown = 50;
/** Of longer lists nothing is shown before something is typed. */
const maxUntyped = 500;

interface Match {
  readonly label: string;
  readonly index: number;
}

/** A box with the matching ones of very many values beneath it. */
export function comboBox(
  draft: FieldDraft,
  form: FormContext,
  labels: readonly string[],
): TemplateResult {
  const { combo } = form;
  const id = fieldId(draft);
  const matches = combo.isOpen(draft) ? matching(draft, labels) : [];
  const active = Math.min(combo.activeOf(draft), matches.length - 1);
  const isOpen = matches.length > 0;
  return html`<div class="combo">
    <input
      id=${id}
      role="combobox"
      autocomplete="off"
      spellcheck="false"
      aria-autocomplete="list"
      aria-expanded=${isOpen ? 'true' : 'false'}
      aria-controls=${`${id}-list`}
      aria-activedescendant=${active >= 0 ? `${id}-option-${matches[active]?.index}` : nothing}
      aria-required=${draft.field.isRequired ? 'true' : nothing}
      aria-invalid=${form.problems.has(draft.id) ? 'true' : nothing}
      aria-describedby=${describedBy(draft, form)}
      placeholder=${l10n.t('Type to find one of {0} values', labels.length)}
      .value=${live(draft.text)}
      @input=${(event: Event) => {
        draft.type(inputText(event));
        combo.show(draft);
        form.changed();
      }}
      @blur=${() => {
        combo.close();
        form.changed();
      }}
      @keydown=${(event: KeyboardEvent) => onKey(event, draft, form, matches, active)}
    />
    <div
      class="combo-list"
      role="listbox"
      id=${`${id}-list`}
      aria-label=${l10n.t('Value')}
      ?hidden=${!isOpen}
    >
      ${matches.map(
        ({ label, index }, at) => html`<div
          role="option"
          id=${`${id}-option-${index}`}
          aria-selected=${at === active ? 'true' : 'false'}
          @mousedown=${(event: Event) => {
            event.preventDefault();
            take(draft, form, index);
          }}
        >
          ${label}
        </div>`,
      )}
    </div>
  </div>`;
}

function matching(draft: FieldDraft, labels: readonly string[]): readonly Match[] {
  const query = draft.chosen === undefined ? draft.text.toLowerCase() : '';
  if (query === '' && labels.length > maxUntyped) {
    return [];
  }
  const matches: Match[] = [];
  for (const [index, label] of labels.entries()) {
    if (matches.length === maxShown) {
      break;
    }
    if (label.toLowerCase().includes(query)) {
      matches.push({ label, index });
    }
  }
  return matches;
}

function take(draft: FieldDraft, form: FormContext, index: number): void {
  draft.choose(index);
  form.combo.close();
  form.changed();
}

function onKey(
  event: KeyboardEvent,
  draft: FieldDraft,
  form: FormContext,
  matches: readonly Match[],
  active: number,
): void {
  const { combo } = form;
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const match = matches[active];
  if (step !== 0) {
    const next = (active + step + matches.length) % Math.max(1, matches.length);
    combo.show(draft, matches.length === 0 ? 0 : next);
  } else if (event.key === 'Enter' && match && !event.ctrlKey && !event.metaKey) {
    take(draft, form, match.index);
  } else if (event.key === 'Escape' && combo.isOpen(draft)) {
    combo.close();
  } else {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  form.changed();
}
