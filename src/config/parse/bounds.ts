/** How much of a configuration is taken: far more than anybody writes, and little enough for every later step. */
import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
import { nameToken } from '../../base/text/nameToken.js';
import type { ConfigProblem } from '../definition.js';
import type { ConfigFileLocation } from './configLocations.js';
import { type JsonProperty, nodeRange } from './jsonDocument.js';

/** Characters (and bytes) of a file of a workspace folder, and of any text in an editor. */
export const maxFolderFileLength = 1024 * 1024;
/** Characters of the user's own files, some of which other programs keep much else in. */
const maxUserFileLength = 8 * 1024 * 1024;
/** Of one file; the rest is left out. */
export const maxServers = 1000;
/** Characters of one value or name of a field. */
const maxValueLength = 64 * 1024;
/** Arguments, variables, headers, fields: of one list or object. */
const maxItems = 1000;
/** Of a name in a sentence. */
const maxShownName = 40;
/** Characters of the name of a server. */
const maxNameLength = 1000;

/** Characters, and bytes, of a file that is read. */
export function maxLengthOf({ folder }: Pick<ConfigFileLocation, 'folder'>): number {
  return folder === undefined ? maxUserFileLength : maxFolderFileLength;
}

/** Whether something in the value is longer than what is taken. */
export function isOversized(value: Node): boolean {
  return findOversized(value) !== undefined;
}

/** The first part that is longer than what is taken. Does not recurse. */
function findOversized(value: Node): Node | undefined {
  const open = [value];
  for (let node = open.pop(); node; node = open.pop()) {
    const children = node.children ?? [];
    const isLong = typeof node.value === 'string' && node.value.length > maxValueLength;
    if (isLong || children.length > maxItems) {
      return node;
    }
    // the first of them is looked at next
    for (const child of [...children].reverse()) {
      open.push(child);
    }
  }
  return undefined;
}

/** What keeps a server from being read at all. */
export function oversizedProblem({
  name,
  nameNode,
  valueNode,
}: JsonProperty): ConfigProblem | undefined {
  const isLongName = name.length > maxNameLength;
  const part = isLongName ? nameNode : findOversized(valueNode);
  if (!part) {
    return undefined;
  }
  return {
    code: 'too-large',
    severity: 'error',
    message: isLongName
      ? tooLarge(name, name.length, maxNameLength)
      : partSentence(name, part, valueNode),
    remedy: l10n.t('Correct the value.'),
    range: nodeRange((isLongName ? undefined : fieldNode(part, valueNode)) ?? nameNode),
    server: name,
  };
}

function partSentence(server: string, part: Node, entry: Node): string {
  const place = part === entry ? server : fieldOf(part, entry);
  return typeof part.value === 'string'
    ? tooLarge(place, part.value.length, maxValueLength)
    : tooLarge(place, part.children?.length ?? 0, maxItems);
}

function tooLarge(place: string, size: number, most: number): string {
  return l10n.t('"{0}" is too long: {1}, at most {2}.', nameToken(place), size, most);
}

/** As a person would write it, such as `env.TOKEN` or `args[3]`. */
function fieldOf(part: Node, entry: Node): string {
  let field = '';
  for (let node = part; node !== entry && node.parent; node = node.parent) {
    const { parent } = node;
    if (parent.type === 'array') {
      field = `[${parent.children?.indexOf(node)}]${field}`;
    } else if (parent.type === 'property') {
      const name = String(parent.children?.[0]?.value);
      const shown = name.length > maxShownName ? `${name.slice(0, maxShownName)}…` : name;
      field = `.${shown}${field}`;
    }
  }
  return field.slice(1);
}

/** The name of the field of the entry that the part is in. */
function fieldNode(part: Node, entry: Node): Node | undefined {
  let found: Node | undefined;
  for (let node = part; node !== entry && node.parent; node = node.parent) {
    found = node.type === 'property' ? node : found;
  }
  return (found ?? part.parent)?.children?.[0];
}

/** @param first of those that are left out */
export function tooManyServers(path: string, first: JsonProperty): ConfigProblem {
  return {
    code: 'too-many-servers',
    severity: 'error',
    message: l10n.t('{0} has more than {1} servers; the others are left out.', path, maxServers),
    remedy: l10n.t('Divide the servers among several files, or remove some.'),
    range: nodeRange(first.nameNode),
  };
}
