/** An entry as text, on its way from one file to another: comments, order and layout go along. */
import { visit } from 'jsonc-parser';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { variablesOf } from '../launch/variables.js';
import type { ConfigPath } from '../parse/configTypes.js';
import {
  countedNode,
  findProperty,
  jsonValueOf,
  parseWholeDocument,
  stripByteOrderMark,
} from '../parse/jsonDocument.js';
import type { EditableConfig } from './editConfig.js';
import { setJsonValue } from './jsonEdit.js';
import {
  applyEdits,
  commaAfter,
  endOfLine,
  indentAt,
  isBlank,
  isFirstOnLine,
  lineStart,
  nextLine,
  styleOf,
  type TextEdit,
} from './jsonText.js';

export interface EntryText {
  /** Lines of the value; all but the first without the indentation of the entry. */
  readonly value: readonly string[];
  /** One step of indentation in it. */
  readonly unit: string;
  /** Lines of the comments of the entry that stand around it, without its indentation. */
  readonly comments: readonly string[];
  /** Declarations of the inputs that it refers to. */
  readonly inputs: readonly JsonObject[];
}

/** @param name of an entry that the file has. */
export function readEntryText(config: EditableConfig, name: string): EntryText {
  const text = stripByteOrderMark(config.text);
  const { node, property } = entryPlace(text, config.entry(name)?.path ?? []);
  const indent = indentAt(text, property.offset);
  const value = linesOf(text.slice(node.offset, node.offset + node.length), indent);
  const comments = commentsOf(text, property).flatMap(({ start, end }) =>
    linesOf(text.slice(start, end).trim(), indent),
  );
  return { value, unit: styleOf(text).unit, comments, inputs: inputsOf(config, name) };
}

/** The file with the entry under a name that it has not yet, and with the inputs that it lacks. */
export function writeEntryText(
  config: EditableConfig,
  name: string,
  entry: EntryText,
): EditableConfig {
  // where servers are not in a block, only what looks like one is found again
  const added = config.addServer(name, { command: name });
  const path = added.entry(name)?.path ?? [];
  return added.with((text) => {
    const { node, property } = entryPlace(text, path);
    const { eol, unit } = styleOf(text);
    const indent = indentAt(text, property.offset);
    const lines = entry.value.map((line, index) =>
      index === 0 ? line : indent + withUnit(line, entry.unit, unit),
    );
    const start = isFirstOnLine(text, property.offset)
      ? lineStart(text, property.offset)
      : property.offset;
    const comments = entry.comments.map((comment) => indent + comment + eol).join('');
    const written = applyEdits(text, [
      { start, end: start, text: comments },
      { start: node.offset, end: node.offset + node.length, text: lines.join(eol) },
    ]);
    return declare(written, entry.inputs);
  });
}

/** The file without the entry and the comments around it that belong to it. */
export function removeEntryText(config: EditableConfig, name: string): EditableConfig {
  const path = config.entry(name)?.path ?? [];
  const bare = config.with((text) =>
    applyEdits(
      text,
      commentsOf(text, entryPlace(text, path).property).map((range) => ({ ...range, text: '' })),
    ),
  );
  return bare.removeServer(name);
}

/** All but the first without the indentation. */
function linesOf(text: string, indent: string): readonly string[] {
  const [first = '', ...rest] = text.split(/\r?\n/);
  return [
    first,
    ...rest.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart())),
  ];
}

function entryPlace(text: string, path: ConfigPath) {
  const { root } = parseWholeDocument(text);
  const node = countedNode(root, path);
  if (!node?.parent) {
    throw new Error('There is no entry at the path');
  }
  return { node, property: node.parent };
}

/** Those right above the entry, with their lines, and what follows it on its last line. */
function commentsOf(
  text: string,
  property: { readonly offset: number; readonly length: number },
): readonly Omit<TextEdit, 'text'>[] {
  const found: Omit<TextEdit, 'text'>[] = [];
  if (!isFirstOnLine(text, property.offset)) {
    return found;
  }
  const comments = commentsIn(text);
  for (let end = lineStart(text, property.offset); ; ) {
    const above = comments.findLast((one) => one.end <= end);
    const isRightAbove =
      above && nextLine(text, above.end) === end && isBlank(text, above.end, end);
    if (!isRightAbove || !isFirstOnLine(text, above.start)) {
      break;
    }
    const start = lineStart(text, above.start);
    found.unshift({ start, end });
    end = start;
  }
  const last = property.offset + property.length;
  const comma = commaAfter(text, last);
  const behind = comma !== undefined && comma < nextLine(text, last) ? comma + 1 : last;
  const end = endOfLine(text, behind);
  if (end !== undefined && !isBlank(text, behind, end)) {
    found.push({ start: behind, end });
  }
  return found;
}

function commentsIn(text: string): readonly Omit<TextEdit, 'text'>[] {
  const found: Omit<TextEdit, 'text'>[] = [];
  visit(text, {
    onComment: (start, length) => void found.push({ start, end: start + length }),
  });
  return found;
}

/** The line with its leading steps of indentation as the other file writes them. */
function withUnit(line: string, from: string, to: string): string {
  let at = 0;
  while (line.startsWith(from, at)) {
    at += from.length;
  }
  return to.repeat(at / from.length) + line.slice(at);
}

function inputsOf(config: EditableConfig, name: string): readonly JsonObject[] {
  const launch = config.entry(name)?.launch;
  const ids = new Set(inputIdsOf(launch));
  return declaredInputs(stripByteOrderMark(config.text)).filter(
    ({ id }) => typeof id === 'string' && ids.has(id),
  );
}

/** Of the inputs that a launch refers to. */
export function inputIdsOf(
  launch: Parameters<typeof variablesOf>[0] | undefined,
): readonly string[] {
  const uses = launch ? variablesOf(launch) : [];
  return [...new Set(uses.filter(({ kind }) => kind === 'input').map((use) => use.name))];
}

/** The file with the declarations that it lacks. */
export function withInputs(config: EditableConfig, inputs: readonly JsonObject[]): EditableConfig {
  return config.with((text) => declare(text, inputs));
}

function declare(text: string, inputs: readonly JsonObject[]): string {
  const present = declaredInputs(text);
  const missing = inputs.filter((input) => !present.some(({ id }) => id === input.id));
  return missing.length === 0 ? text : setJsonValue(text, ['inputs'], [...present, ...missing]);
}

function declaredInputs(text: string): readonly JsonObject[] {
  const property = findProperty(parseWholeDocument(text).root, 'inputs');
  const value: unknown = property && jsonValueOf(property.valueNode);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
