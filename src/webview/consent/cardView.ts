import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { nameToken } from '../../base/text/nameToken.js';
import { valuesOfCard } from '../../protocol/consent/cardValues.js';
import type {
  ConsentCard,
  ConsentLine,
  ConsentText,
} from '../../protocol/consent/consentProtocol.js';
import { icon } from '../shared/icon.js';
import { isChecked } from '../shared/inputs.js';
import type { ConsentPage } from './consentPage.js';
import { hiddenKindsOf, hiddenKindWords, shownText, shownValue } from './shownText.js';

export function cardView(card: ConsentCard, isTicked: boolean, page: ConsentPage): TemplateResult {
  const { name, folder, note, lines, isPlain, isDefinition } = card;
  const traits = lines.filter(({ kind }) => kind === 'trait');
  const kinds = hiddenKindsOf(valuesOfCard(card));
  return html`<li
    class="card"
    data-hash=${card.hash}
    data-server=${name}
    ?data-odd=${!isPlain}
  >
    <div class="rules" aria-hidden="true"></div>
    <h2>
      <vscode-checkbox
        .checked=${isTicked}
        @change=${(event: Event) => page.tick(card, isChecked(event))}
        ><span class="visually-hidden"
          >${isDefinition ? l10n.t('Accept this change of server {0}', nameToken(name)) : l10n.t('Trust server {0}', nameToken(name))}</span
        ></vscode-checkbox
      >
      <span class="name">${shownValue(name)}</span>
      ${folder === undefined ? nothing : html`<span class="dim badge">${shownText(folderText(folder))}</span>`}
    </h2>
    ${note === undefined ? nothing : sentence('info', html`${note}`)}
    ${traits.map((line) => sentence('warning', html`${tag(line)} ${shownText(line.rows[0] ?? [])}`))}
    ${
      kinds.length === 0
        ? nothing
        : sentence(
            'warning',
            html`${l10n.t('Drawn as escapes: {0}. Copying gives the text itself.', kinds.map((kind) => hiddenKindWords[kind]()).join(', '))}`,
          )
    }
    <dl>
      ${lines.filter(({ kind }) => kind !== 'trait').map(lineView)}
      ${sourceRow(card, page)}
      ${
        card.commit
          ? row(l10n.t('last commit of this file'), html`${shownText(card.commit)}`)
          : nothing
      }
    </dl>
  </li>`;
}

function folderText(folder: string): ConsentText {
  return [
    { text: `${l10n.t('folder')} `, isValue: false },
    { text: folder, isValue: true },
  ];
}

function sentence(glyph: string, text: TemplateResult): TemplateResult {
  return html`<p class="sentence ${glyph}">${icon(glyph)}<span>${text}</span></p>`;
}

function lineView(line: ConsentLine): TemplateResult {
  const { kind, label, rows } = line;
  const [first = [], ...args] = rows;
  if (kind !== 'command') {
    return row(label, shownText(first), line);
  }
  return html`${row(l10n.t('command'), shownText(first), line)}
  ${
    args.length === 0
      ? nothing
      : row(
          l10n.t('arguments'),
          html`<ol>${args.map((text) => html`<li><span>${shownText(text)}</span></li>`)}</ol>`,
          line,
        )
  }`;
}

function row(label: string, text: TemplateResult, line?: ConsentLine): TemplateResult {
  return html`<div data-change=${line?.change ?? 'same'}>
    <dt>${label}${line ? tag(line) : nothing}</dt>
    <dd>${text}</dd>
  </div>`;
}

/** In words, so that nobody has to see colours. */
function tag({ change }: ConsentLine): TemplateResult | typeof nothing {
  switch (change) {
    case 'same':
      return nothing;
    case 'added':
      return html`<span class="badge added">${l10n.t('now')}</span>`;
    case 'removed':
      return html`<span class="dim badge">${l10n.t('before')}</span>`;
  }
}

/** Selected like any other text, so that it is no button. */
function sourceRow({ id, source }: ConsentCard, page: ConsentPage): TemplateResult {
  const open = () => {
    if (document.getSelection()?.isCollapsed ?? true) {
      page.openFile(id);
    }
  };
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Enter') {
      page.openFile(id);
    }
  };
  const line = source.line === undefined ? '' : `:${source.line}`;
  return row(
    l10n.t('from'),
    html`<span class="link" role="link" tabindex="0" @click=${open} @keydown=${onKey}
      >${shownValue(source.path)}${line}</span
    >`,
  );
}
