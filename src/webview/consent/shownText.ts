/** Values of others, drawn so that nothing of them is hidden and nothing looks like something else. */
import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { type HiddenKind, hiddenKinds, shownParts } from '../../base/text/showText.js';
import type { ConsentText } from '../../protocol/consent/consentProtocol.js';

export function shownText(text: ConsentText): TemplateResult {
  // words between words
  const isInside = text.some(({ isChanged }) => isChanged !== undefined);
  return html`${text.map((part) => {
    const shown = part.isValue ? shownValue(part.text, isInside) : part.text;
    return part.isChanged ? html`<mark>${shown}</mark>` : shown;
  })}`;
}

/** Copied, it is the text itself. */
export function shownValue(text: string, isInside = false): TemplateResult {
  if (text === '') {
    return html`<span class="dim" data-exact="">${l10n.t('(empty)')}</span>`;
  }
  return html`<span class="value">${shownParts(text, isInside).map(({ text: exact, instead }) =>
    instead ? shownEscape(exact, instead.text, instead.kinds) : withBlanks(exact),
  )}</span>`;
}

/** Sorts of what cannot be read without doubt in any of the texts. */
export function hiddenKindsOf(texts: readonly string[]): readonly HiddenKind[] {
  const found = new Set(
    texts.flatMap((text) => shownParts(text).flatMap(({ instead }) => instead?.kinds ?? [])),
  );
  return hiddenKinds.filter((kind) => found.has(kind));
}

export const hiddenKindWords: Readonly<Record<HiddenKind, () => string>> = {
  blanks: () => l10n.t('blanks that are hard to see or to count'),
  control: () => l10n.t('control characters'),
  direction: () => l10n.t('characters that turn the direction of reading'),
  invisible: () => l10n.t('characters that cannot be seen'),
  lookAlike: () => l10n.t('characters that may look like others'),
};

function shownEscape(exact: string, shown: string, kinds: readonly HiddenKind[]): TemplateResult {
  const hint = l10n.t('{0}: {1}', shown, kinds.map((kind) => hiddenKindWords[kind]()).join(', '));
  return html`<span class="escape" role="img" aria-label=${hint} title=${hint} data-exact=${exact}>${shown}</span>`;
}

/** The end of a line would hide a blank: each has a dot, which is no text. */
function withBlanks(text: string): readonly (string | TemplateResult)[] {
  return text
    .split(/( )/)
    .map((part) => (part === ' ' ? html`<span class="blank"> </span>` : part));
}
