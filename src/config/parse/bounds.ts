/** How much of a configuration is taken: far more than anybody writes, and little enough for every later step. */
import * as l10n from '@vscode/l10n';
import type { Node } from 'jsonc-parser';
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
/** Characters of the name of a server. */
const maxNameLength = 1000;

/** Characters, and bytes, of a file that is read. */
export function maxLengthOf({ folder }: Pick<ConfigFileLocation, 'folder'>): number {
  return folder === undefined ? maxUserFileLength : maxFolderFileLength;
}

/** Whether something in the value is longer than what is taken. Does not recurse. */
export function isOversized(value: Node): boolean {
  const open = [value];
  for (let node = open.pop(); node; node = open.pop()) {
    const children = node.children ?? [];
    const isLong = typeof node.value === 'string' && node.value.length > maxValueLength;
    if (isLong || children.length > maxItems) {
      return true;
    }
    for (const child of children) {
      open.push(child);
    }
  }
  return false;
}

/** What keeps a server from being read at all. */
export function oversizedProblem({
  name,
  nameNode,
  valueNode,
}: JsonProperty): ConfigProblem | undefined {
  const isLongName = name.length > maxNameLength;
  if (!isLongName && !isOversized(valueNode)) {
    return undefined;
  }
  return {
    code: 'too-large',
    severity: 'error',
    message: isLongName
      ? l10n.t('The name of a server has more than {0} characters.', maxNameLength)
      : l10n.t(
          'Server {0} has a value of more than {1} characters, or a list of more than {2} items.',
          name,
          maxValueLength,
          maxItems,
        ),
    remedy: l10n.t('Shorten it; until then the server is not used.'),
    range: nodeRange(nameNode),
    server: name,
  };
}

/** @param first of those that are left out */
export function tooManyServers(path: string, first: JsonProperty): ConfigProblem {
  return {
    code: 'too-many-servers',
    severity: 'error',
    message: l10n.t(
      '{0} declares more than {1} servers; the others are left out.',
      path,
      maxServers,
    ),
    remedy: l10n.t('Divide the servers among several files, or remove some.'),
    range: nodeRange(first.nameNode),
  };
}
