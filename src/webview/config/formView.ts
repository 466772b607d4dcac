import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { withRemedy } from '../../base/errors.js';
import { counted } from '../../base/text/counted.js';
import type { ConfigPoolView, FormField, FormGroup } from '../../protocol/configProtocol.js';
import type { Announcer } from '../shared/announcer.js';
import { mainButton, sideButton } from '../shared/buttons.js';
import { placeField, radioField } from '../shared/choices.js';
import { icon } from '../shared/icon.js';
import { repeatById } from '../shared/repeatById.js';
import { configFieldView } from './fields.js';
import { countSet, type FormDraft, shownGroups } from './formDraft.js';
import { liveSentences } from './formNotes.js';
import type { FormPage } from './formPage.js';
import { outcomeBanner } from './outcomeBanner.js';
import {
  type FormPageState,
  formTitle,
  groupsOf,
  type OpenForm,
  type Outcome,
} from './pageState.js';

const focusable = 'select, textarea, input, vscode-checkbox, vscode-button';

/** Draws a form, and moves the focus and the view to where the user's last step leads. */
export class FormView {
  private shown: FormPageState | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly page: FormPage,
    private readonly announcer: Announcer,
  ) {}

  update(state: FormPageState): void {
    const before = this.shown;
    this.shown = state;
    render(template(state, this.page), this.root);
    this.moveFocus(state, before);
    this.announceForm(state.form, before?.form);
    const { outcome } = state;
    // errors are read out by themselves, as alerts are
    if (outcome && outcome !== before?.outcome && !outcome.isError) {
      this.announcer.say(outcome.text);
    }
  }

  private moveFocus(
    { form, target, lookedAt }: FormPageState,
    before: FormPageState | undefined,
  ): void {
    if (form && !before?.form && target?.id === undefined) {
      this.focus('#form-title');
    } else if (form?.asksToDiscard && !before?.form?.asksToDiscard) {
      this.focus('#keep-editing');
    } else if (lookedAt && lookedAt !== before?.lookedAt) {
      this.focus(`#${CSS.escape(`field-${lookedAt.field}`)}`);
    } else if (hasNew(form, before?.form)) {
      this.focus('.field:has(.field-problem)');
    }
  }

  private focus(selector: string): void {
    // custom elements can take the focus only after they have drawn themselves
    requestAnimationFrame(() => {
      const place = this.root.querySelector<HTMLElement>(selector);
      const field = place?.closest('.field');
      (field ?? place)?.scrollIntoView({ block: field ? 'center' : 'nearest' });
      const control = field?.querySelector<HTMLElement>(focusable) ?? place;
      control?.focus({ preventScroll: true });
    });
  }

  private announceForm(form: OpenForm | undefined, before: OpenForm | undefined): void {
    if (!form) {
      return;
    }
    if (hasNew(form, before)) {
      const sentences = form.problems
        .filter(({ field }) => field !== undefined)
        .map(({ message, remedy }) => withRemedy(message, remedy));
      this.announcer.say(sentences.join(' '));
      return;
    }
    const known = before ? liveSentences(before) : [];
    const added = liveSentences(form).filter((sentence) => !known.includes(sentence));
    if (added.length > 0) {
      this.announcer.say(added.join(' '));
      this.showNotes();
    }
  }

  /** What is said about the field that is being filled in. */
  private showNotes(): void {
    requestAnimationFrame(() => {
      const field = document.activeElement?.closest('.field');
      const notes = field?.querySelectorAll('.field-problem, .offer, .secret-note') ?? [];
      for (const note of notes) {
        note.scrollIntoView({ block: 'nearest' });
      }
    });
  }
}

/** A complaint that was not there before. */
function hasNew(form: OpenForm | undefined, before: OpenForm | undefined): boolean {
  return form?.problems.some((problem) => !before?.problems.includes(problem)) === true;
}

function template(state: FormPageState, page: FormPage): TemplateResult {
  const { form, pools, forms, outcome } = state;
  return form && pools && forms
    ? formTemplate(form, pools, groupsOf(state, form.draft), page, outcome)
    : html`${outcomeBanner(outcome, page)}`;
}

function formTemplate(
  form: OpenForm,
  pools: readonly ConfigPoolView[],
  groups: readonly FormGroup[],
  page: FormPage,
  outcome: Outcome | undefined,
): TemplateResult {
  const { draft } = form;
  return html`<form
    novalidate
    class="schema-form"
    aria-label=${formTitle(form, pools)}
    @submit=${(event: Event) => event.preventDefault()}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        page.cancel();
      }
    }}
  >
    ${
      draft.serverId === undefined
        ? html`<h1 id="form-title" tabindex="-1">${formTitle(form, pools)}</h1>`
        : nothing
    }
    ${draft.isSettings ? settingsHead(draft, pools) : serverHead(form, pools, page)}
    ${repeatById(shownGroups(draft, groups), (group) => groupView(group, form, page))}
    <div class="form-foot">
      ${generalProblems(form)} ${outcomeBanner(outcome, page)} ${buttons(form, page)}
    </div>
  </form>`;
}

/** Beside the button that was pressed: what no field is to blame for. */
function generalProblems({ problems }: OpenForm): TemplateResult | typeof nothing {
  const general = problems.filter(({ field }) => field === undefined);
  if (general.length === 0) {
    return nothing;
  }
  return html`<div id="form-problems" class="banner error" role="alert">
    ${icon('error')}
    <ul>
      ${general.map(({ message, remedy }) => html`<li>${withRemedy(message, remedy)}</li>`)}
    </ul>
  </div>`;
}

function settingsHead({ poolId }: FormDraft, pools: readonly ConfigPoolView[]): TemplateResult {
  const pool = pools.find(({ id }) => id === poolId);
  return html`<p class="form-lead dim">
    ${l10n.t('What counts for every server whose entry does not say it itself.')}
    ${l10n.t('Saved in {0}', pool?.file ?? '')}
  </p>`;
}

function serverHead(
  form: OpenForm,
  pools: readonly ConfigPoolView[],
  page: FormPage,
): TemplateResult {
  const { draft } = form;
  return html`${draft.serverId === undefined ? placeOf(form, pools, page) : nothing}
    ${kindField(draft, page)}
    ${configFieldView(nameField(), form, page, { text: draft.name, rows: [] }, ({ text }) =>
      page.changeDraft({ name: text }),
    )}`;
}

function nameField(): FormField {
  return {
    id: 'name',
    control: 'text',
    kind: 'both',
    label: l10n.t('Name'),
    help: l10n.t('The agent sees it in front of the names of the tools.'),
    placeholder: 'memory',
  };
}

function placeOf(form: OpenForm, pools: readonly ConfigPoolView[], page: FormPage): TemplateResult {
  const { poolId, file = 'primary' } = form.draft;
  const places = pools.flatMap((pool) =>
    pool.places.map((place) => ({ ...place, poolId: pool.id, value: `${place.file} ${pool.id}` })),
  );
  const chosen = places.find((place) => place.poolId === poolId && place.file === file);
  return placeField('field-place', places, chosen, (value) => {
    const place = places.find((one) => one.value === value);
    if (place) {
      page.changeDraft({ poolId: place.poolId, file: place.file });
    }
  });
}

function kindField(draft: FormDraft, page: FormPage): TemplateResult {
  const kinds = [
    { value: 'stdio', label: l10n.t('Local (stdio)') },
    { value: 'http', label: l10n.t('Remote (HTTP)') },
  ] as const;
  return radioField(l10n.t('Kind'), 'kind', kinds, draft.kind, (kind) =>
    page.changeDraft({ kind }),
  );
}

/** The connection of a server is what the form is for; everything else is folded until it is asked for. */
function groupView(group: FormGroup, form: OpenForm, page: FormPage): TemplateResult {
  const fields = repeatById(group.fields, (field) => configFieldView(field, form, page));
  if (group.id === 'connection') {
    return html`<div role="group" aria-label=${group.label}>${fields}</div>`;
  }
  const count = countSet(form.draft, group);
  const isOpen = form.openGroups.includes(group.id);
  return html`<details
    class="group"
    data-group=${group.id}
    .open=${live(isOpen)}
    @toggle=${(event: Event) => {
      const { open } = event.currentTarget as HTMLDetailsElement;
      if (open !== isOpen) {
        page.openGroup(group.id, open);
      }
    }}
  >
    <summary>
      <span class="group-name">${group.label}</span>${
        count === 0
          ? nothing
          : html` <span class="badge set-count">${counted(l10n.t('1 field set|{0} fields set'), count)}</span>`
      }
    </summary>
    <div class="group-fields">${fields}</div>
  </details>`;
}

function buttons(form: OpenForm, page: FormPage): TemplateResult {
  if (form.asksToDiscard) {
    return html`<div class="form-buttons" role="group" aria-labelledby="discard-question">
      <p id="discard-question">${l10n.t('Discard your changes?')}</p>
      ${mainButton(l10n.t('Keep Editing'), () => page.changeForm({ asksToDiscard: false }), {
        id: 'keep-editing',
      })}
      ${sideButton(l10n.t('Discard'), () => page.discard())}
    </div>`;
  }
  return html`<div class="form-buttons">
    ${mainButton(l10n.t('Save'), () => page.save(false), { isEnabled: !form.isSaving })}
    ${
      form.draft.isSettings
        ? nothing
        : sideButton(l10n.t('Save and Restart'), () => page.save(true), {
            isEnabled: !form.isSaving,
          })
    }
    ${sideButton(l10n.t('Discard'), () => page.cancel())}
  </div>`;
}
