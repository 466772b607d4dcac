import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { fieldView } from '../form/fieldView.js';
import type { FormContext } from '../form/formContext.js';
import { plainButton } from '../shared/buttons.js';
import { errorBanner } from '../shared/icon.js';
import { repeatById } from '../shared/repeatById.js';
import type { OverrideDraft } from './overrideDraft.js';

/** Folded until somebody wants to say something. */
export function overrideView(draft: OverrideDraft): TemplateResult {
  const { isOpen, error, root } = draft;
  return html`<details
    class="section override"
    .open=${live(isOpen)}
    @toggle=${(event: Event) => draft.toggle((event.currentTarget as HTMLDetailsElement).open)}
  >
    <summary><h2>${l10n.t('In Your Words')}</h2></summary>
    ${errorBanner(error)}
    ${root ? form(draft) : nothing}
  </details>`;
}

function form(draft: OverrideDraft): TemplateResult {
  const { root, cost, path, isChanged, isSaving, problems } = draft;
  const contextFor = (mayEditJson: boolean): FormContext => {
    const context: FormContext = {
      problems,
      combo: draft.combo,
      mayEditJson,
      draw: (one) => fieldView(one, context),
      changed: () => draft.changed(),
    };
    return context;
  };
  const isIdle = isSaving || !isChanged;
  return html`<form
    class="schema-form"
    novalidate
    aria-label=${l10n.t('In Your Words')}
    @submit=${(event: Event) => event.preventDefault()}
  >
    ${repeatById(
      root?.children ?? [],
      // a variable may stand for an argument of any type
      (one) => contextFor(one.field.kind === 'object').draw(one),
    )}
    <p role="status">${cost}</p>
    <p class="hint dim">${l10n.t('Saved in {0}', path)}</p>
    <div class="form-buttons">
      ${plainButton('primary', l10n.t('Save'), () => void draft.save(), { isEnabled: !isIdle && problems.size === 0 })}
      ${plainButton('secondary', l10n.t('Discard'), () => draft.discard(), { isEnabled: !isIdle })}
    </div>
  </form>`;
}
