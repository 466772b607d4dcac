/** What a call does, as a title and as values below it. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { NamedValue, TitledWords } from '../../../protocol/callWords.js';

/** Values of a card before its JSON has the rest. */
const maxShort = 6;

/** A sentence with one name in it, such as *Run `ls`*. */
interface Title {
  /** With `{0}` where the name stands. */
  readonly sentence: (name: string) => string;
  readonly name: string;
}

export function wordsTitle(words: TitledWords): TemplateResult {
  const { sentence, name } = titleOf(words);
  const mark = '\u0000';
  const [before = '', after = ''] = sentence(mark).split(mark);
  return html`<span class="call-title" title=${sentence(name)}
    >${before}<code>${name}</code>${after}</span
  >`;
}

export function wordsText(words: TitledWords): string {
  const { sentence, name } = titleOf(words);
  return sentence(name);
}

function titleOf(words: TitledWords): Title {
  switch (words.kind) {
    case 'command':
      return {
        sentence: (name) => l10n.t('Run {0}', name),
        name: firstLine(words.command),
      };
    case 'read':
      return {
        sentence: (name) => l10n.t('Read {0}', name),
        name: `${words.path}${linesText(words.lines)}`,
      };
    case 'list':
      return {
        sentence: (name) => l10n.t('List {0}', name),
        name: words.path,
      };
    case 'grep':
      return {
        sentence: (name) => l10n.t('Search for {0}', inPath(name, words.path)),
        name: words.pattern,
      };
    case 'find':
      return {
        sentence: (name) => l10n.t('Find files {0}', inPath(name, words.path)),
        name: words.pattern,
      };
    case 'steps':
      return {
        sentence: (name) => l10n.t('{0}: {1}', l10n.t('Steps'), name),
        name: l10n.t('{0} of {1}', words.done, words.of),
      };
    case 'plan':
      return { sentence: (name) => l10n.t('{0}: {1}', l10n.t('Plan'), name), name: words.title };
    case 'tools':
      return {
        sentence: (name) => l10n.t('Look for tools: {0}', name),
        name: words.query,
      };
  }
}

/** Such as `:10-20`. */
function linesText(lines: { readonly from: number; readonly to?: number } | undefined): string {
  return lines ? `:${lines.from}-${lines.to ?? ''}` : '';
}

function inPath(name: string, path: string | undefined): string {
  return path === undefined ? name : l10n.t('{0} in {1}', name, path);
}

function firstLine(command: string): string {
  const [first = '', ...more] = command.split('\n');
  return more.length > 0 ? `${first} …` : first;
}

/** @param isWhole nothing is left out, as the user decides about all of it */
export function valuesView(
  values: readonly NamedValue[],
  isWhole: boolean,
): TemplateResult | typeof nothing {
  const shown = isWhole ? values : values.slice(0, maxShort);
  const more = values.length - shown.length;
  const cell = ({ text }: NamedValue) =>
    isWhole ? html`<dd>${text}</dd>` : html`<dd title=${text.slice(0, 1000)}>${oneLine(text)}</dd>`;
  return html`<dl class="values ${isWhole ? 'whole' : ''}">${shown.map(
    (value) => html`<dt>${value.name}</dt>${cell(value)}`,
  )}</dl>
  ${more > 0 ? html`<p class="dim">${l10n.t('{0} more', more)}</p>` : nothing}`;
}

function oneLine(text: string): string {
  return text.slice(0, 300).replace(/\s+/g, ' ').trim();
}
