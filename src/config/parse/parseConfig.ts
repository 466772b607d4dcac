import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { asString, isJsonObject, type JsonObject } from '../../base/json.js';
import { groupBy } from '../../base/lists.js';
import { nameToken } from '../../base/text/nameToken.js';
import {
  type ConfigInput,
  type ConfigLayer,
  type ConfigProblem,
  type ImportSource,
  importSources,
} from '../definition.js';
import type { FieldTable } from '../schema/field.js';
import { cappedNumber, expectedText, readFieldValue } from '../schema/fieldValue.js';
import { settingFields, settingTable, truncationSetting } from '../schema/settings.js';
import { mustBe } from '../sentences.js';
import { isOversized, maxLengthOf, maxServers, tooManyServers } from './bounds.js';
import { findBlocks, findForeignBlocks, looksLikeServer, reservedNames } from './configBlocks.js';
import { type ConfigFileLocation, isFolderLayer } from './configLocations.js';
import type { ConfigPath, ParsedConfigFile, ParsedEntry } from './configTypes.js';
import {
  findProperty,
  type JsonProperty,
  jsonValueOf,
  lineCounter,
  nodeRange,
  parseJsonDocument,
  properties,
} from './jsonDocument.js';
import { parseEntry } from './parseEntry.js';

export interface ParseOptions {
  readonly path: string;
  readonly layer: ConfigLayer;
  /** The file belongs to another program: only its servers count, not its top level. Default false. */
  readonly isForeignFile?: boolean;
  /** Where the servers of such a file stand. Default: the `mcp` block. */
  readonly block?: ConfigPath;
  /** Characters of the text; a longer one is not read. Default 1 Mi. */
  readonly maxLength?: number;
  /** What entries may hold. Default: the fields of the product. */
  readonly fields?: FieldTable;
}

/** Reads a configuration file's text. Never throws; every fault is a problem with its place. */
export function parseConfig(text: string, options: ParseOptions): ParsedConfigFile {
  const document = parseJsonDocument(text, options.maxLength);
  const empty = emptyFile(options);
  if (document.error) {
    const { line, reason, range } = document.error;
    const problem: ConfigProblem = {
      code: 'syntax',
      severity: 'error',
      message: l10n.t('{0} has a syntax error in line {1}: {2}.', options.path, line, reason),
      remedy: l10n.t('Correct the file; until then its last good state is used.'),
      range,
    };
    return { ...empty, problems: [problem], hasSyntaxError: true };
  }
  if (!document.root) {
    return empty;
  }
  if (document.root.type !== 'object') {
    return { ...empty, problems: [rootProblem(options.path, document.root)] };
  }
  const file = readRoot(document.root, options);
  return { ...file, entries: withLines(file.entries, text) };
}

/** For whoever names a place and has no text. */
function withLines(entries: readonly ParsedEntry[], text: string): readonly ParsedEntry[] {
  const lineAt = lineCounter(text);
  return entries.map((entry) => ({
    ...entry,
    line: lineAt(entry.nameRange.start),
    problems: entry.problems.map((problem) =>
      problem.severity === 'error' && problem.range
        ? { ...problem, line: lineAt(problem.range.start) }
        : problem,
    ),
  }));
}

/** As {@link parseConfig}, of a file whose servers are written as ours are. */
export function parseOwnFile(text: string, location: ConfigFileLocation): ParsedConfigFile {
  return parseConfig(text, { ...location, maxLength: maxLengthOf(location) });
}

export function emptyFile(options: ParseOptions): ParsedConfigFile {
  return {
    path: options.path,
    layer: options.layer,
    shape: 'empty',
    entries: [],
    problems: [],
    hasSyntaxError: false,
    isMasterDisabled: undefined,
    settings: {},
    imports: [],
    inputs: [],
  };
}

function readRoot(root: Node, options: ParseOptions): ParsedConfigFile {
  const problems: ConfigProblem[] = [];
  const blocks = options.isForeignFile
    ? findForeignBlocks(root, options.block, problems)
    : findBlocks(root, options.fields, problems);
  reportRepeatedBlocks(root, problems);
  const declared = blocks.flatMap(({ path, entries: of }) =>
    of.map((property) => ({ property, path: [...path, property.name] })),
  );
  const surplus = declared[maxServers];
  if (surplus) {
    problems.push(tooManyServers(options.path, surplus.property));
  }
  const entries = declared
    .slice(0, maxServers)
    .map(({ property, path }) => parseEntry(property, path, options.fields));
  const found = {
    path: options.path,
    layer: options.layer,
    shape: blocks[0]?.shape ?? ('empty' as const),
    entries: withoutDuplicates(entries),
    problems,
    hasSyntaxError: false,
  };
  if (options.isForeignFile) {
    return { ...emptyFile(options), ...found, inputs: readInputs(root) };
  }
  return {
    ...found,
    isMasterDisabled: readMaster(root, problems),
    settings: readSettings(root, options, problems),
    imports: readImports(root, problems),
    inputs: readInputs(root),
  };
}

// #region repetitions

function reportRepeatedBlocks(root: Node, problems: ConfigProblem[]): void {
  const names = new Set<string>();
  for (const property of properties(root)) {
    if (names.has(property.name) && reservedNames.has(property.name)) {
      problems.push({
        code: 'duplicate-block',
        severity: 'warning',
        message: l10n.t('"{0}" is written twice; the last one counts.', nameToken(property.name)),
        remedy: l10n.t('Keep one of them.'),
        range: nodeRange(property.nameNode),
      });
    }
    names.add(property.name);
  }
}

/** JSON readers take the last of several properties with one name; the others are reported. */
function withoutDuplicates(entries: readonly ParsedEntry[]): readonly ParsedEntry[] {
  const groups = groupBy(entries, (entry) => entry.name);
  return [...groups.values()].flatMap((group) => {
    const last = group.at(-1);
    const earlier = group.slice(0, -1);
    return last ? [{ ...last, problems: [...last.problems, ...earlier.map(duplicate)] }] : [];
  });
}

function duplicate(entry: ParsedEntry): ConfigProblem {
  return {
    code: 'duplicate-name',
    severity: 'warning',
    message: l10n.t('"{0}" is written twice; the last one counts.', nameToken(entry.name)),
    remedy: l10n.t('Keep one of them.'),
    range: entry.nameRange,
    server: entry.name,
  };
}

// #endregion

// #region top level

function readMaster(root: Node, problems: ConfigProblem[]): boolean | undefined {
  const property = findProperty(root, 'disabled');
  if (!property) {
    return undefined;
  }
  if (property.valueNode.type === 'boolean') {
    return property.valueNode.value === true;
  }
  if (looksLikeServer(property.valueNode)) {
    return undefined;
  }
  problems.push({
    code: 'wrong-type',
    severity: 'error',
    message: mustBe(property.name, 'true | false'),
    remedy: l10n.t('Correct the value; until then {0} is used.', '"disabled": true'),
    range: nodeRange(property.valueNode),
  });
  return true;
}

function readSettings(root: Node, options: ParseOptions, problems: ConfigProblem[]): JsonObject {
  const block = findProperty(root, 'settings');
  const truncation = findProperty(root, truncationSetting.name);
  const items = [
    ...(truncation && !looksLikeServer(truncation.valueNode) ? [truncation] : []),
    ...(block && !looksLikeServer(block.valueNode) ? properties(block.valueNode) : []),
  ];
  const table = options.fields ? settingTable(options.fields) : settingFields;
  return Object.fromEntries(
    items.flatMap((item) => {
      const { value, problem } = readSetting(item, table, options.layer);
      problems.push(...(problem ? [problem] : []));
      return value === undefined ? [] : [[item.name, value] as const];
    }),
  );
}

function readSetting(
  { name, nameNode, valueNode }: JsonProperty,
  settings: FieldTable,
  layer: ConfigLayer,
): { readonly value: unknown; readonly problem?: ConfigProblem } {
  const written: unknown = jsonValueOf(valueNode);
  const setting = settings.find(name);
  const info = (code: ConfigProblem['code'], message: string, remedy: string): ConfigProblem => ({
    code,
    severity: 'info',
    message,
    remedy,
    range: nodeRange(nameNode),
  });
  if (!setting) {
    const message = l10n.t('"{0}" is not known.', nameToken(name));
    const remedy = l10n.t('Check the spelling.');
    return { value: written, problem: info('unknown-setting', message, remedy) };
  }
  const fitting = isOversized(valueNode) ? undefined : readFieldValue(setting, written);
  if (fitting === undefined) {
    const capped = cappedNumber(setting, written);
    const problem: ConfigProblem = {
      code: 'wrong-setting',
      severity: 'warning',
      message: mustBe(name, expectedText(setting)),
      remedy:
        capped === undefined
          ? l10n.t('Correct the value.')
          : l10n.t('Correct the value; until then {0} is used.', capped),
      range: nodeRange(valueNode),
    };
    return { value: capped, problem };
  }
  if (setting.role === 'foreign') {
    const message = l10n.t('"{0}" has no effect here.', nameToken(name));
    const remedy = setting.guide?.describe?.() ?? l10n.t('Remove it.');
    return { value: written, problem: info('ignored-setting', message, remedy) };
  }
  if (setting.isSafety && isFolderLayer(layer)) {
    const message = l10n.t('"{0}" counts only in User files.', nameToken(name));
    const remedy = l10n.t('Remove it.');
    return { value: written, problem: info('ignored-setting', message, remedy) };
  }
  return { value: fitting };
}

function readImports(root: Node, problems: ConfigProblem[]): readonly ImportSource[] {
  const property = findProperty(root, 'imports');
  if (property?.valueNode.type !== 'array') {
    return [];
  }
  return (property.valueNode.children ?? []).flatMap((node) => {
    const source = importSources.find((known) => known === node.value);
    if (!source) {
      problems.push({
        code: 'unknown-import',
        severity: 'warning',
        message: mustBe('imports', importSources.join(' | ')),
        remedy: l10n.t('Correct the value.'),
        range: nodeRange(node),
      });
    }
    return source ? [source] : [];
  });
}

function readInputs(root: Node): readonly ConfigInput[] {
  const node = findProperty(root, 'inputs')?.valueNode;
  const isRead = node?.type === 'array' && !isOversized(node);
  return isRead ? toInputs(jsonValueOf(node)) : [];
}

/** Declarations of inputs as a file has them; what is none is left out. */
export function toInputs(value: unknown): readonly ConfigInput[] {
  return Array.isArray(value) ? value.flatMap(toInput) : [];
}

function toInput(value: unknown): ConfigInput[] {
  if (!isJsonObject(value) || typeof value.id !== 'string') {
    return [];
  }
  const options = Array.isArray(value.options)
    ? value.options.filter((option): option is string => typeof option === 'string')
    : undefined;
  return [
    {
      id: value.id,
      description: asString(value.description),
      isPassword: value.password === true,
      defaultValue: asString(value.default),
      options,
    },
  ];
}

function rootProblem(path: string, root: Node): ConfigProblem {
  return {
    code: 'not-an-object',
    severity: 'error',
    message: l10n.t('{0} is no JSON object.', path),
    remedy: l10n.t('Write an object with a property "mcpServers".'),
    range: nodeRange(root),
  };
}

// #endregion
