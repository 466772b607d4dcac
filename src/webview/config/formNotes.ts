/** What the extension has to say about a form while it is filled in, beside the field that it is about. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { withRemedy } from '../../base/errors.js';
import type { CommandOffer, SecretNote } from '../../protocol/configProtocol.js';
import { checkBox, sideButton } from '../shared/buttons.js';
import { icon } from '../shared/icon.js';
import { focusLater } from '../shared/inputs.js';
import { fieldOf } from './formDraft.js';
import type { FormPage } from './formPage.js';
import { nameProblem, type OpenForm } from './pageState.js';

/** The sentences that stand beside fields now. */
export function liveSentences(form: OpenForm): readonly string[] {
  const name = nameProblem(form);
  const offer = currentOffer(form);
  const fields = [...new Set(form.check?.secrets.map(({ field }) => field))];
  return [
    ...(name ? [withRemedy(name.message, name.remedy)] : []),
    ...(offer ? [offerSentence(offer)] : []),
    ...fields.map((field) => secretSentence(notesOf(form, field), isInFile(form, field))),
  ];
}

// #region command

export function offerView(form: OpenForm, page: FormPage): TemplateResult | typeof nothing {
  const offer = currentOffer(form);
  if (!offer) {
    return nothing;
  }
  return html`<div class="offer">
    <p>${icon('lightbulb')}<span>${offerSentence(offer)}</span></p>
    <p class="words">${wordsOf(offer).map((word) => html`<code>${word}</code> `)}</p>
    ${sideButton(isLine(offer) ? l10n.t('Split') : l10n.t('Fill In'), () => {
      page.acceptOffer(offer);
      focusLater(`#field-${offer.entry.kind === 'http' ? 'url' : 'command'}`);
    })}
  </div>`;
}

/** Nothing while the answer for what stands there now is under way. */
function currentOffer({ check, draft }: OpenForm): CommandOffer | undefined {
  const { text } = fieldOf(draft, { id: 'command' });
  return draft.kind === 'stdio' && check?.offer?.line === text.trim() ? check.offer : undefined;
}

/** A program with its arguments, and nothing else. */
function isLine({ entry }: CommandOffer): boolean {
  return entry.kind === 'stdio';
}

function offerSentence(offer: CommandOffer): string {
  return isLine(offer)
    ? l10n.t('This is more than a command. It can be split into the command and its arguments:')
    : l10n.t('This is a remote server. The form can be filled in from it:');
}

function wordsOf({ entry: { values } }: CommandOffer): readonly string[] {
  const { env, command, args, url } = values;
  const pairs = Array.isArray(env) ? env : [];
  return [
    ...pairs.map((pair) => (typeof pair === 'object' ? `${pair.key}=${pair.value}` : pair)),
    ...[command, url].filter((word) => typeof word === 'string'),
    ...(Array.isArray(args) ? args : []).filter((word) => typeof word === 'string'),
  ];
}

// #endregion

// #region secrets

export function secretNote(
  id: string,
  form: OpenForm,
  page: FormPage,
): TemplateResult | typeof nothing {
  const notes = notesOf(form, id);
  if (notes.length === 0) {
    return nothing;
  }
  const isShown = isInFile(form, id);
  const others = (form.draft.inFile ?? []).filter((other) => other !== id);
  return html`<div class="secret-note">
    <p>
      ${icon(isShown ? 'unlock' : 'lock')}<span>${secretSentence(notes, isShown)}</span>
    </p>
    ${checkBox(l10n.t('Write it into the file all the same'), isShown, (isOn) =>
      page.changeDraft({ inFile: isOn ? [...others, id] : others }),
    )}
  </div>`;
}

function notesOf({ check }: OpenForm, id: string): readonly SecretNote[] {
  return (check?.secrets ?? []).filter(({ field }) => field === id);
}

function isInFile({ draft }: OpenForm, id: string): boolean {
  return draft.inFile?.includes(id) === true;
}

function secretSentence(notes: readonly SecretNote[], isShown: boolean): string {
  const labels = notes.map(labelOf).filter((label) => label !== '');
  const what =
    labels.length === 0
      ? l10n.t('This looks like a secret.')
      : l10n.t('Looks like a secret: {0}.', labels.join(', '));
  const where = isShown
    ? l10n.t('It is plain text in the file.')
    : l10n.t(
        'It goes to the secret storage of VS Code, and the file gets {0}.',
        notes.map(({ reference }) => reference).join(', '),
      );
  return `${what} ${where}`;
}

function labelOf({ field, label }: SecretNote): string {
  return field === 'args' ? l10n.t('row {0}', label) : label;
}

// #endregion
