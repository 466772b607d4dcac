import * as l10n from '@vscode/l10n';
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { TextRange } from '../definition.js';
import type { ConfigPath } from './configTypes.js';

/** JSON text as files hold it: comments and trailing commas allowed. Offsets count from behind a byte order mark. */
export interface JsonDocument {
  /** Without a byte order mark. */
  readonly text: string;
  /** `undefined` for an empty document or one with an error. */
  readonly root: Node | undefined;
  readonly error: JsonSyntaxError | undefined;
}

interface JsonSyntaxError {
  readonly range: TextRange;
  /** Base 1. */
  readonly line: number;
  /** Localized phrase without a full stop. */
  readonly reason: string;
}

export interface JsonProperty {
  readonly name: string;
  readonly nameNode: Node;
  readonly valueNode: Node;
  readonly range: TextRange;
}

const byteOrderMark = '\uFEFF';

export function stripByteOrderMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/** Characters of a text that is parsed, unless the caller says otherwise. */
const defaultMaxLength = 1024 * 1024;
/** Levels of arrays and objects; deeper ones exhaust the stack of whoever walks through them. */
const maxDepth = 100;

/** Never throws, whatever the text. */
export function parseJsonDocument(fileText: string, maxLength = defaultMaxLength): JsonDocument {
  const text = stripByteOrderMark(fileText);
  if (text.length > maxLength) {
    return { text, root: undefined, error: syntaxError(text, 0, 1, tooLongText(maxLength)) };
  }
  const tooDeep = tooDeepAt(text);
  if (tooDeep !== undefined) {
    const error = syntaxError(text, tooDeep, 1, l10n.t('nested too deeply'));
    return { text, root: undefined, error };
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (!first) {
    return { text, root, error: undefined };
  }
  const reason = syntaxReason(printParseErrorCode(first.error));
  return { text, root: undefined, error: syntaxError(text, first.offset, first.length, reason) };
}

/** As {@link parseJsonDocument}, of a text whose length was looked at when it was read. */
export function parseWholeDocument(text: string): JsonDocument {
  return parseJsonDocument(text, Number.POSITIVE_INFINITY);
}

/** Offset of the first bracket that opens one level too many; brackets in strings and comments do not count. */
function tooDeepAt(text: string): number | undefined {
  const marks = /["/{}[\]]/g;
  let depth = 0;
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    const { 0: mark, index } = found;
    if (mark === '{' || mark === '[') {
      depth++;
    } else if (mark === '}' || mark === ']') {
      depth--;
    } else {
      marks.lastIndex = mark === '"' ? endOfString(text, index + 1) : endOfComment(text, index);
    }
    if (depth > maxDepth) {
      return index;
    }
  }
  return undefined;
}

/** Strings end at the end of their line at the latest. */
function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') {
      at++;
    } else if (character === '"' || character === '\n' || character === '\r') {
      return at + 1;
    }
  }
  return text.length;
}

/** Behind the slash itself when no comment begins there. */
function endOfComment(text: string, slash: number): number {
  const mark = text[slash + 1];
  if (mark !== '/' && mark !== '*') {
    return slash + 1;
  }
  const close = mark === '/' ? '\n' : '*/';
  const end = text.indexOf(close, slash + 2);
  return end === -1 ? text.length : end + close.length;
}

/** Lines of offsets, from 1: goes on from the last one, so that rising offsets take one walk through the text. */
export function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  let last = 0;
  return (offset) => {
    if (offset < last) {
      line = 1;
      next = text.indexOf('\n');
    }
    last = offset;
    for (; next !== -1 && next < offset; next = text.indexOf('\n', next + 1)) {
      line++;
    }
    return line;
  };
}

export function nodeRange(node: Node): TextRange {
  return { start: node.offset, end: node.offset + node.length };
}

/** The properties of an object node in file order, repeated names included; empty for any other node. */
export function properties(node: Node | undefined): JsonProperty[] {
  if (node?.type !== 'object') {
    return [];
  }
  return (node.children ?? []).flatMap((property) => {
    const [nameNode, valueNode] = property.children ?? [];
    return nameNode && valueNode
      ? [{ name: String(nameNode.value), nameNode, valueNode, range: nodeRange(property) }]
      : [];
  });
}

/** As `JSON.parse` would give it: a property called `__proto__` is one like any other. */
export function jsonValueOf(node: Node): unknown {
  switch (node.type) {
    case 'array':
      return (node.children ?? []).map(jsonValueOf);
    case 'object':
      return Object.fromEntries(
        properties(node).map(({ name, valueNode }) => [name, jsonValueOf(valueNode)]),
      );
    default:
      return node.value as unknown;
  }
}

/** The last property of that name, as every JSON reader sees it. */
export function findProperty(node: Node | undefined, name: string): JsonProperty | undefined {
  return properties(node).findLast((property) => property.name === name);
}

/** The value at the path, by the last property of each name. */
export function countedNode(root: Node | undefined, path: ConfigPath): Node | undefined {
  return path.reduce<Node | undefined>(
    (node, segment) =>
      typeof segment === 'string'
        ? findProperty(node, segment)?.valueNode
        : (node?.type === 'array' ? node.children : undefined)?.[segment],
    root,
  );
}

/** The name between its quotes. */
export function nameRange(property: JsonProperty): TextRange {
  const { start, end } = nodeRange(property.nameNode);
  return { start: start + 1, end: end - 1 };
}

function syntaxError(
  text: string,
  offset: number,
  length: number,
  reason: string,
): JsonSyntaxError {
  const start = Math.min(offset, text.length);
  return {
    range: { start, end: Math.min(text.length, start + Math.max(1, length)) },
    line: lineCounter(text)(start),
    reason,
  };
}

/** The reason of a {@link JsonSyntaxError}. */
export function tooLongText(maxLength: number): string {
  return l10n.t('the text has more than {0} characters', maxLength);
}

function syntaxReason(code: string): string {
  switch (code) {
    case 'CommaExpected':
      return l10n.t('{0} is missing', '","');
    case 'ColonExpected':
      return l10n.t('{0} is missing', '":"');
    case 'CloseBraceExpected':
      return l10n.t('{0} is missing', '"}"');
    case 'CloseBracketExpected':
      return l10n.t('{0} is missing', '"]"');
    case 'UnexpectedEndOfComment':
      return l10n.t('{0} is missing', '"*/"');
    case 'UnexpectedEndOfString':
      return l10n.t('{0} is missing', "'\"'");
    case 'ValueExpected':
      return l10n.t('a value is missing');
    case 'PropertyNameExpected':
      return l10n.t('{0} is missing', '"…":');
    default:
      return l10n.t('a character does not belong there');
  }
}
