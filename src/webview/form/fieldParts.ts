/** What every form draws its fields with: a control, its name, what it means and what is wrong with it. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { ifDefined } from 'lit-html/directives/if-defined.js';
import { live } from 'lit-html/directives/live.js';
import { icon } from '../shared/icon.js';
import { inputText } from '../shared/inputs.js';

type Part = TemplateResult | typeof nothing;

/** What is said of a control. */
export interface FieldWords {
  /** Of the control. */
  readonly id: string;
  /** Default: the control names itself. */
  readonly title?: string | TemplateResult;
  readonly hint?: string | TemplateResult | undefined;
  readonly problems?: readonly string[] | undefined;
  readonly isRequired?: boolean;
  readonly isReadOnly?: boolean | undefined;
  /** Its problems are read out as they come. Default: they are read out with it. */
  readonly isAlert?: true;
}

/** @param between what stands between what a field means and what is wrong with it; `after` is the end of it */
export function labelledField(
  words: FieldWords,
  control: unknown,
  between: Part = nothing,
  after: Part = nothing,
): TemplateResult {
  const { id, title } = words;
  return html`<div class="field">
    ${title === undefined ? nothing : html`<label for=${id}>${title}</label>`} ${control}
    ${hintLine(words)} ${between} ${problemLines(words)} ${after}
  </div>`;
}

/** As {@link labelledField}, for several controls. */
export function groupField(
  words: FieldWords,
  content: unknown,
  between: Part = nothing,
  after: Part = nothing,
): TemplateResult {
  return html`<fieldset
    class="field"
    id=${words.id}
    tabindex="-1"
    aria-describedby=${describingIds(words)}
  >
    <legend>${words.title}</legend>
    ${hintLine(words)} ${content} ${between} ${problemLines(words)} ${after}
  </fieldset>`;
}

function hintLine({ id, hint }: FieldWords): Part {
  return hint ? html`<p class="hint dim" id=${`${id}-hint`}>${hint}</p>` : nothing;
}

function problemLines({ id, problems = [], isAlert }: FieldWords): Part {
  return problems.length === 0
    ? nothing
    : html`<div id=${`${id}-problem`} role=${isAlert ? 'alert' : nothing}>
        ${problems.map(
          (text) => html`<p class="field-problem">${icon('error')}<span>${text}</span></p>`,
        )}
      </div>`;
}

/** What is read out with the control. */
export function describingIds({ id, hint, problems = [] }: FieldWords): string | typeof nothing {
  const ids = [...(hint ? [`${id}-hint`] : []), ...(problems.length > 0 ? [`${id}-problem`] : [])];
  return ids.length > 0 ? ids.join(' ') : nothing;
}

export interface TextBox extends FieldWords {
  readonly text: string;
  /** Default: one, which does not grow. */
  readonly rows?: number | undefined;
  readonly placeholder?: string | undefined;
  /** Read out where there is no title. */
  readonly label?: string;
  readonly className?: string;
  readonly isSecret?: boolean | undefined;
  readonly isNumber?: boolean;
}

export function textBox(box: TextBox, type: (text: string) => unknown): TemplateResult {
  const { id, text, rows, placeholder, label, className, isSecret, isNumber } = box;
  const isRequired = box.isRequired ? 'true' : nothing;
  const isInvalid = box.problems?.length ? 'true' : nothing;
  const change = (event: Event) => type(inputText(event));
  return rows === undefined
    ? html`<input
        id=${id}
        class=${ifDefined(className)}
        type=${isSecret ? 'password' : 'text'}
        autocomplete="off"
        spellcheck="false"
        inputmode=${isNumber ? 'decimal' : nothing}
        placeholder=${ifDefined(placeholder)}
        aria-label=${ifDefined(label)}
        ?readonly=${box.isReadOnly === true}
        aria-required=${isRequired}
        aria-invalid=${isInvalid}
        aria-describedby=${describingIds(box)}
        .value=${live(text)}
        @input=${change}
      />`
    : html`<textarea
        id=${id}
        class=${ifDefined(isSecret ? 'secret' : className)}
        rows=${rows}
        autocomplete="off"
        spellcheck="false"
        placeholder=${ifDefined(placeholder)}
        ?readonly=${box.isReadOnly === true}
        aria-required=${isRequired}
        aria-invalid=${isInvalid}
        aria-describedby=${describingIds(box)}
        .value=${live(text)}
        @input=${change}
      ></textarea>`;
}

/** A box for text, as a field of its own. */
export function boxField(
  box: TextBox,
  type: (text: string) => unknown,
  after?: TemplateResult,
): TemplateResult {
  return labelledField(box, textBox(box, type), nothing, after);
}
