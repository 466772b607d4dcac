/**
 * Minimal edits of JSON with comments: every byte that does not belong to the change stays. Done on the syntax tree
 * because `jsonc-parser`'s own `modify` drops comments beside a removed property and breaks trailing commas.
 */
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { isJsonObject, stableStringify } from '../../base/json.js';
import { trimEndOf } from '../../base/text/trim.js';
import type { ConfigPath } from '../parse/configTypes.js';
import {
  findProperty,
  type JsonProperty,
  jsonValueOf,
  parseJsonDocument,
  properties,
} from '../parse/jsonDocument.js';

interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text with the value at `path` set; missing objects on the way are created. Objects are changed key by key,
 * so that what is equal stays as written.
 * @param text valid JSON with comments, without a byte order mark, or blank.
 */
export function setJsonValue(text: string, path: ConfigPath, value: unknown): string {
  const { root } = parseJsonDocument(text);
  if (!root) {
    return createDocument(text, nest(path, value));
  }
  const existing = findNodeAtLocation(root, [...path]);
  if (existing) {
    return replaceValue(text, existing, path, value);
  }
  const depth = deepestObject(root, path);
  const parent = findNodeAtLocation(root, path.slice(0, depth));
  const name = path[depth];
  if (parent?.type !== 'object' || typeof name !== 'string') {
    throw new Error('The path leads through a value that is not an object');
  }
  return insertProperty(text, parent, name, nest(path.slice(depth + 1), value));
}

/** The text without the property at `path`; unchanged when there is none. */
export function removeJsonProperty(text: string, path: ConfigPath): string {
  const found = propertyAt(text, path);
  if (!found) {
    return text;
  }
  const { parent, property } = found;
  const siblings = properties(parent);
  const index = siblings.findIndex((sibling) => sibling.range.start === property.range.start);
  const comma = commaAfter(text, property.range.end);
  const previous = siblings[index - 1];
  const edits: TextEdit[] = [];
  const end =
    comma !== undefined && isBlank(text, property.range.end, comma)
      ? comma + 1
      : property.range.end;
  if (comma !== undefined && end === property.range.end) {
    edits.push({ start: comma, end: comma + 1, text: '' });
  }
  const previousComma =
    comma === undefined && previous ? commaAfter(text, previous.range.end) : undefined;
  if (previousComma !== undefined) {
    edits.push({ start: previousComma, end: previousComma + 1, text: '' });
  }
  edits.push(withSurroundings(text, property.range.start, end, previousComma));
  return applyEdits(text, edits);
}

/** The text with the property at `path` called `name`; its value and place stay. */
export function renameJsonProperty(text: string, path: ConfigPath, name: string): string {
  const found = propertyAt(text, path);
  if (!found) {
    return text;
  }
  const { offset, length } = found.property.nameNode;
  return applyEdits(text, [{ start: offset, end: offset + length, text: JSON.stringify(name) }]);
}

// #region values

function replaceValue(text: string, node: Node, path: ConfigPath, value: unknown): string {
  const current: unknown = jsonValueOf(node);
  if (stableStringify(current) === stableStringify(value)) {
    return text;
  }
  if (isJsonObject(value) && node.type === 'object') {
    return replaceObject(text, node, path, value);
  }
  if (Array.isArray(value) && node.children?.length === value.length && node.type === 'array') {
    return value.reduce<string>(
      (edited, item, index) => setJsonValue(edited, [...path, index], item),
      text,
    );
  }
  const content = stringify(value, styleOf(text), indentAt(text, node.offset), isMultiline(text));
  return applyEdits(text, [{ start: node.offset, end: node.offset + node.length, text: content }]);
}

function replaceObject(
  text: string,
  node: Node,
  path: ConfigPath,
  value: Readonly<Record<string, unknown>>,
): string {
  const gone = properties(node).filter(({ name }) => !Object.hasOwn(value, name));
  const kept = gone.reduce((edited, { name }) => removeJsonProperty(edited, [...path, name]), text);
  return Object.entries(value).reduce(
    (edited, [name, item]) => setJsonValue(edited, [...path, name], item),
    kept,
  );
}

function nest(path: ConfigPath, value: unknown): unknown {
  return path.reduceRight((inner, name) => Object.fromEntries([[String(name), inner]]), value);
}

function createDocument(text: string, value: unknown): string {
  const style = styleOf(text);
  const before = text.trim() === '' ? '' : `${text.trimEnd()}${style.eol}`;
  return `${before}${stringify(value, style, '', true)}${style.eol}`;
}

/** How many segments of the path exist as objects. */
function deepestObject(root: Node, path: ConfigPath): number {
  for (let depth = path.length - 1; depth > 0; depth--) {
    if (findNodeAtLocation(root, path.slice(0, depth))) {
      return depth;
    }
  }
  return 0;
}

function propertyAt(
  text: string,
  path: ConfigPath,
): { readonly parent: Node; readonly property: JsonProperty } | undefined {
  const { root } = parseJsonDocument(text);
  const parent = root && findNodeAtLocation(root, path.slice(0, -1));
  const property = findProperty(parent, String(path.at(-1)));
  return parent && property ? { parent, property } : undefined;
}

// #endregion

// #region insertion

function insertProperty(text: string, parent: Node, name: string, value: unknown): string {
  const last = properties(parent).at(-1);
  return last
    ? insertAfter(text, parent, last, name, value)
    : insertFirst(text, parent, name, value);
}

function insertAfter(
  text: string,
  parent: Node,
  last: JsonProperty,
  name: string,
  value: unknown,
): string {
  const style = styleOf(text);
  const hasOwnLine = isFirstOnLine(text, last.range.start);
  const indent = indentAt(text, last.range.start);
  const content = `${JSON.stringify(name)}: ${stringify(value, style, indent, hasOwnLine)}`;
  const comma = commaAfter(text, last.range.end);
  const behind = (comma ?? last.range.end - 1) + 1;
  const at = hasOwnLine
    ? endOfLineContent(text, behind, parent.offset + parent.length - 1)
    : behind;
  const separator = hasOwnLine ? style.eol + indent : ' ';
  if (comma !== undefined) {
    return applyEdits(text, [{ start: at, end: at, text: `${separator}${content},` }]);
  }
  const between = text.slice(last.range.end, at);
  return applyEdits(text, [
    { start: last.range.end, end: at, text: `,${between}${separator}${content}` },
  ]);
}

function insertFirst(text: string, parent: Node, name: string, value: unknown): string {
  const style = styleOf(text);
  const closing = parent.offset + parent.length - 1;
  const inner = text.slice(parent.offset + 1, closing);
  const isLong = isMultiline(text) || inner.trim() !== '';
  const outerIndent = indentAt(text, parent.offset);
  const indent = outerIndent + style.unit;
  const content = `${JSON.stringify(name)}: ${stringify(value, style, indent, isLong)}`;
  const kept = inner.trim() === '' ? '' : inner.trimEnd();
  const replaced = isLong
    ? `${kept}${style.eol}${indent}${content}${style.eol}${outerIndent}`
    : content;
  return applyEdits(text, [{ start: parent.offset + 1, end: closing, text: replaced }]);
}

// #endregion

// #region text

interface TextStyle {
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
}

function styleOf(text: string): TextStyle {
  return {
    eol: /\r\n|\n/.exec(text)?.[0] ?? '\n',
    unit: /^([ \t]+)"/m.exec(text)?.[1] ?? '  ',
  };
}

function isMultiline(text: string): boolean {
  return text.trim() === '' || text.trim().includes('\n');
}

function stringify(value: unknown, style: TextStyle, indent: string, isLong: boolean): string {
  const isShort = !isLong || (Array.isArray(value) && isShortArray(value));
  if (isShort) {
    // a line break outside of a string is layout, inside of one it is escaped
    return JSON.stringify(value, undefined, 1)
      .replace(/\n\s*/g, ' ')
      .replace(/^\[ /, '[')
      .replace(/ \]$/, ']');
  }
  if (isJsonObject(value)) {
    return stringifyObject(value, style, indent);
  }
  return JSON.stringify(value, undefined, style.unit).replaceAll('\n', style.eol + indent);
}

function stringifyObject(
  value: Readonly<Record<string, unknown>>,
  style: TextStyle,
  indent: string,
): string {
  const inner = indent + style.unit;
  const lines = Object.entries(value).map(
    ([name, item]) => `${inner}${JSON.stringify(name)}: ${stringify(item, style, inner, true)}`,
  );
  return lines.length === 0
    ? '{}'
    : `{${style.eol}${lines.join(`,${style.eol}`)}${style.eol}${indent}}`;
}

function isShortArray(items: readonly unknown[]): boolean {
  return (
    items.every((item) => typeof item !== 'object' || item === null) &&
    JSON.stringify(items).length <= 80
  );
}

/** Offset of the comma that follows, comments and white space aside. */
function commaAfter(text: string, from: number): number | undefined {
  const at = skipTrivia(text, from);
  return text[at] === ',' ? at : undefined;
}

function skipTrivia(text: string, from: number): number {
  const trivia = /(?:\s+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = from;
  return from + (trivia.exec(text)?.[0].length ?? 0);
}

/** Behind the comments that end the line, in front of its line break. */
function endOfLineContent(text: string, from: number, limit: number): number {
  const rest = /[ \t]*(?:\/\*[^\r\n]*?\*\/[ \t]*)*(?:\/\/[^\r\n]*)?/y;
  rest.lastIndex = from;
  const content = rest.exec(text)?.[0] ?? '';
  const end = from + content.trimEnd().length;
  const isLineEnd = /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 200));
  return end <= limit && isLineEnd ? end : from;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

function isFirstOnLine(text: string, offset: number): boolean {
  const start = lineStart(text, offset);
  return start > 0 && isBlank(text, start, offset);
}

function isBlank(text: string, start: number, end: number): boolean {
  return text.slice(start, end).trim() === '';
}

/** Removes the whole line when nothing else stands on it, else the white space that is left over. */
function withSurroundings(
  text: string,
  start: number,
  end: number,
  previousComma: number | undefined,
): TextEdit {
  const newline = text.indexOf('\n', end);
  const nextLine = newline === -1 ? text.length : newline + 1;
  if (isFirstOnLine(text, start) && isBlank(text, end, nextLine)) {
    return { start: lineStart(text, start), end: nextLine, text: '' };
  }
  const after = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  const lead = text.slice(Math.max((previousComma ?? -1) + 1, lineStart(text, start)), start);
  const before = lead.length - trimEndOf(lead, ' \t').length;
  return previousComma === undefined
    ? { start, end: end + after, text: '' }
    : { start: start - before, end, text: '' };
}

function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const fromTheEnd = edits.toSorted((a, b) => b.start - a.start || b.end - a.end);
  return fromTheEnd.reduce(
    (edited, edit) => edited.slice(0, edit.start) + edit.text + edited.slice(edit.end),
    text,
  );
}

// #endregion
