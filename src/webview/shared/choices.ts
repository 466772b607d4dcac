/** Controls with which one of several is chosen, each drawn in one place. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { live } from 'lit-html/directives/live.js';
import { inputText } from './inputs.js';

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface DropDownOptions {
  readonly id?: string;
  /** Where nothing else on the page names it; its tooltip, too. */
  readonly title?: string;
  readonly className?: string;
  /** Ids of what says more. */
  readonly describedBy?: string | typeof nothing;
  readonly isInvalid?: boolean;
  readonly isRequired?: boolean;
  /** Default true. */
  readonly isEnabled?: boolean;
}

export function dropDown(
  choices: readonly Choice[],
  chosen: string,
  choose: (value: string) => unknown,
  { id, title, className, describedBy, isInvalid, isRequired, isEnabled = true }: DropDownOptions,
): TemplateResult {
  return html`<select
    id=${ifDefined(id)}
    class=${ifDefined(className)}
    aria-label=${ifDefined(title)}
    title=${ifDefined(title)}
    aria-describedby=${describedBy ?? nothing}
    aria-invalid=${isInvalid ? 'true' : nothing}
    aria-required=${isRequired ? 'true' : nothing}
    ?disabled=${!isEnabled}
    @change=${(event: Event) => choose(inputText(event))}
  >
    ${choices.map(
      ({ value, label }) =>
        html`<option value=${value} .selected=${live(value === chosen)}>${label}</option>`,
    )}
  </select>`;
}

interface Place extends Choice {
  /** Of the file. */
  readonly path: string;
}

/** In which file a server is written. */
export function placeField(
  id: string,
  places: readonly Place[],
  chosen: Place | undefined,
  choose: (value: string) => unknown,
): TemplateResult {
  const hint = `${id}-hint`;
  return html`<div class="field">
    <label for=${id}>${l10n.t('Where')}</label>
    ${dropDown(places, chosen?.value ?? '', choose, { id, describedBy: hint })}
    <p class="hint dim" id=${hint}>${l10n.t('Saved in {0}', chosen?.path ?? '')}</p>
  </div>`;
}

/** @param name of the group, on the page */
export function radioField<Value extends string>(
  legend: string,
  name: string,
  choices: readonly { readonly value: Value; readonly label: string }[],
  chosen: string | undefined,
  choose: (value: Value) => unknown,
): TemplateResult {
  return html`<fieldset class="field radio">
    <legend>${legend}</legend>
    ${choices.map(
      ({ value, label }) => html`<label class="choice">
        <input
          type="radio"
          name=${name}
          value=${value}
          .checked=${live(value === chosen)}
          @change=${() => choose(value)}
        />
        <span>${label}</span>
      </label>`,
    )}
  </fieldset>`;
}
