/**
 * Minimal edits of JSON with comments: every byte that does not belong to the change stays. Done on the syntax tree
 * because `jsonc-parser`'s own `modify` drops comments beside a removed property and breaks trailing commas.
 */
import type { Node } from 'jsonc-parser';
import { isJsonObject, stableStringify } from '../../base/json.js';
import { addAll } from '../../base/lists.js';
import type { ConfigPath } from '../parse/configTypes.js';
import {
  countedNode,
  findProperty,
  jsonValueOf,
  parseWholeDocument,
  properties,
} from '../parse/jsonDocument.js';
import { type ArrayChange, arrayChanges } from './arrayChanges.js';
import { insertMember, membersOf, removeMembers } from './jsonMembers.js';
import { applyEdits, indentAt, isMultiline, stringify, styleOf } from './jsonText.js';

/** Where a property goes that is not there yet. Default: behind the others. */
export type PropertyPlace = 'first' | 'last';

/**
 * The text with the value at `path` set; missing objects on the way are created. Objects are changed key by key and
 * arrays item by item, so that what is equal stays as written.
 * @param text valid JSON with comments, without a byte order mark, or blank.
 */
export function setJsonValue(
  text: string,
  path: ConfigPath,
  value: unknown,
  place: PropertyPlace = 'last',
): string {
  const { root } = parseWholeDocument(text);
  if (!root) {
    return createDocument(text, nest(path, value));
  }
  const existing = countedNode(root, path);
  if (existing) {
    return replaceValue(text, existing, path, value);
  }
  const depth = deepestObject(root, path);
  const parent = countedNode(root, path.slice(0, depth));
  const name = path[depth];
  if (parent?.type !== 'object' || typeof name !== 'string') {
    throw new Error('The path leads through a value that is not an object');
  }
  const content = nest(path.slice(depth + 1), value);
  const index = place === 'first' ? 0 : (parent.children?.length ?? 0);
  return insertMember(
    text,
    parent,
    index,
    (indent, isLong) =>
      `${JSON.stringify(name)}: ${stringify(content, styleOf(text), indent, isLong)}`,
  );
}

/** The text without the property at `path`, however often it is there: of an earlier one the value would count now. */
export function removeJsonProperty(text: string, path: ConfigPath): string {
  const parent = countedNode(parseWholeDocument(text).root, path.slice(0, -1));
  return removeProperties(text, parent, (name) => name === String(path.at(-1)));
}

function removeProperties(
  text: string,
  object: Node | undefined,
  isGone: (name: string) => boolean,
): string {
  const gone = properties(object).filter(({ name }) => isGone(name));
  const starts = new Set(gone.map(({ range }) => range.start));
  return object && starts.size > 0
    ? removeMembers(text, object, ({ start }) => starts.has(start))
    : text;
}

/** The text without the property whose name begins at the offset, quotation mark included. */
export function removePropertyAt(text: string, offset: number): string {
  const { root } = parseWholeDocument(text);
  const containers = root ? [root] : [];
  for (let node = containers.pop(); node; node = containers.pop()) {
    if (node.type === 'object' && membersOf(node).some(({ start }) => start === offset)) {
      return removeMembers(text, node, ({ start }) => start === offset);
    }
    addAll(containers, node.children ?? []);
  }
  return text;
}

/** The text with the property at `path` called `name`; its value and place stay. */
export function renameJsonProperty(text: string, path: ConfigPath, name: string): string {
  const { root } = parseWholeDocument(text);
  const parent = countedNode(root, path.slice(0, -1));
  const property = findProperty(parent, String(path.at(-1)));
  if (!property) {
    return text;
  }
  const { offset, length } = property.nameNode;
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
  const changes =
    Array.isArray(value) && Array.isArray(current) ? arrayChanges(current, value) : undefined;
  if (changes) {
    return changes.reduce((edited, change) => changeItem(edited, path, change), text);
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
  const kept = removeProperties(text, node, (name) => !Object.hasOwn(value, name));
  return Object.entries(value).reduce(
    (edited, [name, item]) => setJsonValue(edited, [...path, name], item),
    kept,
  );
}

function changeItem(text: string, path: ConfigPath, change: ArrayChange): string {
  const { root } = parseWholeDocument(text);
  const array = countedNode(root, path);
  if (!array) {
    return text;
  }
  switch (change.kind) {
    case 'replace':
      return setJsonValue(text, [...path, change.index], change.item);
    case 'remove':
      return removeMembers(text, array, (_member, index) => index === change.index);
    case 'insert':
      return insertMember(text, array, change.index, (indent, isLong) =>
        stringify(change.item, styleOf(text), indent, isLong),
      );
  }
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
    if (countedNode(root, path.slice(0, depth))) {
      return depth;
    }
  }
  return 0;
}

// #endregion
