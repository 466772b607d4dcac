/** The words of a changed definition, for whoever accepts it: each text that differs, before and now, word by word. */
import * as l10n from '@vscode/l10n';
import { diffWordsWithSpace } from 'diff';
import { isJsonObject } from '../../base/json.js';
import type { DefinitionChange } from '../mcpTypes.js';
import type { ChangedLine } from './descriptionLines.js';
import { plainText, value, type WordedText, words } from './wordedText.js';

/** Texts that differ in more words are wholly marked: to look longer would stop the extension host. */
const maxEditLength = 500;
/** Milliseconds. */
const timeout = 100;
/** What is nested deeper is one text. */
const maxDepth = 12;

/** Everything that differs; nothing is cut. */
export function definitionLines({
  before,
  definition,
}: Pick<DefinitionChange, 'before' | 'definition'>): readonly ChangedLine[] {
  const older = new Map(textsIn(before ?? {}));
  const newer = new Map(textsIn(definition));
  return [...new Set([...older.keys(), ...newer.keys()])].flatMap((path) => {
    const [a, b] = [older.get(path), newer.get(path)];
    if (a === b) {
      return [];
    }
    const [removed, added] = changedWords(a, b);
    return [
      ...(a === undefined ? [] : [line(path, a, removed, 'removed')]),
      ...(b === undefined ? [] : [line(path, b, added, 'added')]),
    ];
  });
}

function line(
  path: string,
  text: string,
  marked: WordedText,
  change: ChangedLine['change'],
): ChangedLine {
  const [field = '', ...names] = path.split('\n');
  const lead = names.length > 0 ? [...value(names.join('.')), ...words(': ')] : [];
  return {
    label: labelOf(field),
    text: plainText([...lead, ...value(text)]),
    rows: [[...lead, ...marked]],
    change,
  };
}

function labelOf(field: string): string {
  switch (field) {
    case 'title':
      return l10n.t('title');
    case 'description':
      return l10n.t('description');
    case 'annotations':
      return l10n.t('hints');
    case 'files':
      return l10n.t('files');
    case 'frontmatter':
    case 'uri':
      return field;
    case 'text':
      return l10n.t('instructions');
    default:
      return l10n.t('arguments');
  }
}

/** Texts with the names that lead to them, line by line: of the server, so that no sign between them would be sure. */
function textsIn(
  item: unknown,
  path: readonly string[] = [],
): readonly (readonly [path: string, text: string])[] {
  const isBranch = (isJsonObject(item) || Array.isArray(item)) && path.length < maxDepth;
  if (isBranch && !isPlain(item, path)) {
    return Object.entries(item).flatMap(([key, inner]) => textsIn(inner, [...path, key]));
  }
  const text = typeof item === 'string' ? item : JSON.stringify(item);
  return text === undefined ? [] : [[path.join('\n'), text]];
}

/** What is said in one text: a list without anything in its items, and what is there and empty. */
function isPlain(item: object, path: readonly string[]): boolean {
  return Array.isArray(item)
    ? item.every((one) => typeof one !== 'object' || one === null)
    : path.length > 0 && Object.keys(item).length === 0;
}

/** Each text in pieces, of which those that the other one lacks are marked. */
function changedWords(before = '', now = ''): readonly [WordedText, WordedText] {
  const parts =
    before === '' || now === ''
      ? undefined
      : diffWordsWithSpace(before, now, { maxEditLength, timeout });
  if (!parts) {
    return [value(before), value(now)];
  }
  const side = (other: 'added' | 'removed'): WordedText =>
    parts
      .filter((part) => !part[other])
      .map(({ value: text, added, removed }) => ({
        text,
        isValue: true,
        isChanged: added || removed,
      }));
  return [side('added'), side('removed')];
}
