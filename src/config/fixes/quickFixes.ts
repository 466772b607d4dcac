/** Quick fixes as text edits. Pure: whoever applies them owns the document. */
import * as l10n from '@vscode/l10n';
import type { Edit } from 'jsonc-parser';
import { asList, type JsonObject } from '../../base/json.js';
import { quotedName } from '../../base/text/nameToken.js';
import { nearest } from '../../base/text/nearest.js';
import type { ConfigProblem, TextRange } from '../definition.js';
import { sameEnd, sameStart } from '../edit/changedRegions.js';
import { type PropertyPlace, removePropertyAt, setJsonValue } from '../edit/jsonEdit.js';
import type { LintDetail, LintFinding } from '../lint/lintTypes.js';
import type { ConfigPath, ParsedConfigFile } from '../parse/configTypes.js';
import {
  countedNode,
  findProperty,
  type JsonDocument,
  jsonValueOf,
  nameRange,
  properties,
} from '../parse/jsonDocument.js';
import { configFields } from '../schema/fields.js';
import { secretLead } from '../secrets/redact.js';
import { isWholeLine } from '../sentences.js';

export interface QuickFix {
  readonly title: string;
  /** Offsets in the text behind a byte order mark; apply all or none. */
  readonly edits: readonly Edit[];
  /** The fix that an editor applies first. */
  readonly isPreferred: boolean;
}

/** Fixes that the file alone decides. The others need an answer first: see {@link pinPackage}, {@link moveSecret}. */
export function quickFixes(
  document: JsonDocument,
  file: ParsedConfigFile,
  problem: ConfigProblem,
): readonly QuickFix[] {
  const { detail } = problem as LintFinding;
  if (detail?.kind === 'type') {
    return [addHttpType(document, detail.entryPath)];
  }
  if (detail?.kind === 'root') {
    return [removeRoot(document, detail.valuePath)];
  }
  if (detail?.kind === 'executable') {
    const { foundAt, valuePath } = detail;
    return foundAt === undefined
      ? splitCommand(document, valuePath)
      : [fix(l10n.t('Use {0}', foundAt), modifyText(document, valuePath, foundAt))];
  }
  if (detail?.kind === 'variable') {
    return replaceVariable(document, file, detail);
  }
  if (problem.code === 'unknown-field') {
    return renameField(document, file, problem);
  }
  if (problem.code === 'claude-code-shape') {
    return renameWrapper(document, file.shape, 'mcpServers');
  }
  if (problem.rename !== undefined && problem.range) {
    return [rename(problem.range, problem.rename)];
  }
  if (problem.code === 'duplicate-name' && problem.range) {
    const { text } = document;
    // the range begins behind the quotation mark
    const without = removePropertyAt(text, problem.range.start - 1);
    return [fix(l10n.t('Remove {0}', quotedName(problem.server ?? '')), difference(text, without))];
  }
  return [];
}

/** `servers` ↔ `mcpServers`; none for a bare map, which has no wrapper. */
export function convertShape(document: JsonDocument, file: ParsedConfigFile): readonly QuickFix[] {
  return renameWrapper(
    document,
    file.shape,
    file.shape === 'mcpServers' ? 'servers' : 'mcpServers',
  );
}

/** Writes an exact version behind a package of npm, wherever in its argument it stands. */
export function pinPackage(
  document: JsonDocument,
  { valuePath, packageName, written }: Omit<Extract<LintDetail, { kind: 'package' }>, 'kind'>,
  version: string,
): QuickFix {
  const spec = `${packageName}@${version}`;
  const words = String(valueAt(document, valuePath) ?? '').split(/([\s=]+)/);
  const at = words.indexOf(written);
  const pinned = words.map((word, index) => (index === at ? spec : word)).join('');
  return fix(l10n.t('Write {0}', spec), modifyText(document, valuePath, pinned));
}

/** The edit of "move to secret storage": a reference instead of the value, and the input it refers to. */
export interface SecretMove {
  readonly inputId: string;
  /** What goes to the secret storage before the edit is applied. */
  readonly value: string;
  readonly edits: readonly Edit[];
}

/** `undefined` when there is no text at the path any more. */
export function moveSecret(
  document: JsonDocument,
  file: ParsedConfigFile,
  valuePath: ConfigPath,
  suggestedId: string,
  taken: Iterable<string> = [],
): SecretMove | undefined {
  const written = valueAt(document, valuePath);
  if (typeof written !== 'string') {
    return undefined;
  }
  const inputId = takeName(suggestedId, new Set([...taken, ...file.inputs.map(({ id }) => id)]));
  const { value, reference } = referTo(inputId, written, argumentBefore(document, valuePath));
  return {
    inputId,
    value,
    edits: [
      ...modifyText(document, valuePath, reference),
      ...addInput(document, newInput(inputId)),
    ],
  };
}

/**
 * What to store as the input, and what to write in its place.
 * @param previous the argument before, of an argument.
 */
export function referTo(
  inputId: string,
  written: string,
  previous: unknown,
): { readonly value: string; readonly reference: string } {
  // the scheme of an Authorization header, or the name of a flag or variable, is no secret and stays readable
  const lead =
    secretLead(written, previous) || (/^(?:Bearer|Basic|token)\s+/i.exec(written)?.[0] ?? '');
  return { value: written.slice(lead.length), reference: `${lead}\${input:${inputId}}` };
}

function argumentBefore(document: JsonDocument, path: ConfigPath): unknown {
  const index = path.at(-1);
  return typeof index === 'number' && index > 0
    ? valueAt(document, [...path.slice(0, -1), index - 1])
    : undefined;
}

function removeRoot(document: JsonDocument, path: ConfigPath): QuickFix {
  const [list, index] = [path.slice(0, -1), path.at(-1)];
  const left = listAt(document, list).filter((_item, at) => at !== index);
  return fix(
    l10n.t('Remove {0}', quotedName(String(valueAt(document, path)))),
    modifyText(document, list, left),
  );
}

/** The smallest single edit that turns one text into the other. */
function difference(before: string, after: string): readonly Edit[] {
  const start = sameStart(before, after);
  const tail = sameEnd(before, after, start);
  const content = after.slice(start, after.length - tail);
  return [{ offset: start, length: before.length - tail - start, content }];
}

function addInput(document: JsonDocument, input: object): readonly Edit[] {
  const path = ['inputs'];
  return modifyText(document, path, [...listAt(document, path), input]);
}

/** The name, with a number behind it when it is taken. The next one gets another. */
export function takeName(suggested: string, taken: Set<string>): string {
  let name = suggested;
  for (let number = 2; taken.has(name); number++) {
    name = `${suggested}-${number}`;
  }
  taken.add(name);
  return name;
}

/** An input that is referred to is declared too. */
function replaceVariable(
  document: JsonDocument,
  { inputs }: ParsedConfigFile,
  { valuePath, written, better }: Extract<LintDetail, { kind: 'variable' }>,
): readonly QuickFix[] {
  const value = valueAt(document, valuePath);
  if (typeof value !== 'string' || !value.includes(written)) {
    return [];
  }
  const id = /^\$\{input:(.+)\}$/.exec(better)?.[1];
  const isNew = id !== undefined && !inputs.some((input) => input.id === id);
  const edits = modifyText(
    document,
    valuePath,
    value.replace(written, () => better),
  );
  return [
    fix(l10n.t('Write {0}', better), [
      ...edits,
      ...(isNew ? addInput(document, newInput(id)) : []),
    ]),
  ];
}

export function newInput(id: string): JsonObject {
  return { id, type: 'promptString', description: id, password: true };
}

function addHttpType(document: JsonDocument, entryPath: ConfigPath): QuickFix {
  return fix(
    l10n.t('Write {0}', '"type": "http"'),
    modifyText(document, [...entryPath, 'type'], 'http', 'first'),
  );
}

function renameWrapper(document: JsonDocument, from: string, to: string): readonly QuickFix[] {
  const property = findProperty(document.root, from);
  const isTaken = findProperty(document.root, to) !== undefined;
  if (!property || isTaken || !['mcpServers', 'mcp-servers', 'servers'].includes(from)) {
    return [];
  }
  return [rename(nameRange(property), to)];
}

/** The words of a whole command line, where they belong. */
function splitCommand(document: JsonDocument, valuePath: ConfigPath): readonly QuickFix[] {
  const line = valueAt(document, valuePath);
  const isPlain = typeof line === 'string' && isWholeLine(line) && !/['"`$\\]/.test(line);
  if (!isPlain || valuePath.at(-1) !== 'command') {
    return [];
  }
  const [program = '', ...words] = line.trim().split(/\s+/);
  const argsPath = [...valuePath.slice(0, -1), 'args'];
  const args = [...words, ...listAt(document, argsPath)];
  const { text } = document;
  const whole = setJsonValue(setJsonValue(text, valuePath, program), argsPath, args);
  const written = `"command": ${quotedName(program)}, "args": […]`;
  return [fix(l10n.t('Write {0}', written), difference(text, whole))];
}

/** To what was probably meant, if it is not in the entry too. */
function renameField(
  document: JsonDocument,
  { entries }: ParsedConfigFile,
  { server, range }: ConfigProblem,
): readonly QuickFix[] {
  const entry = entries.find(({ name }) => name === server);
  const fields = entry ? properties(countedNode(document.root, entry.path)) : [];
  const property = fields.find(({ nameNode }) => nameNode.offset === range?.start);
  const ours = configFields.filter(({ role }) => role !== 'foreign').map(({ name }) => name);
  const [meant] = property ? nearest(property.name, ours) : [];
  return property && meant !== undefined && !fields.some(({ name }) => name === meant)
    ? [rename(nameRange(property), meant)]
    : [];
}

function rename({ start, end }: TextRange, to: string): QuickFix {
  const edit = { offset: start, length: end - start, content: to };
  return fix(l10n.t('Write {0}', `"${to}"`), [edit]);
}

function fix(title: string, edits: readonly Edit[]): QuickFix {
  return { title, edits, isPreferred: true };
}

function modifyText(
  { text }: JsonDocument,
  path: ConfigPath,
  value: unknown,
  place?: PropertyPlace,
): readonly Edit[] {
  return difference(text, setJsonValue(text, path, value, place));
}

function listAt(document: JsonDocument, path: ConfigPath): readonly unknown[] {
  const node = countedNode(document.root, path);
  return asList(node && jsonValueOf(node));
}

function valueAt(document: JsonDocument, path: ConfigPath): unknown {
  return countedNode(document.root, path)?.value;
}
