/** What the folders of `roots` stand for, and which of them a server is not told of. */
import { relative, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { isFolder, pathInFolder } from '../../platform/folderPath.js';
import { realPath } from '../../platform/realPath.js';
import type { McpServerDefinition, RootsChoice } from '../definition.js';
import { expandTilde, type Places, withPlaces } from '../launch/places.js';
import { type VariablePart, variablesIn } from '../launch/variables.js';

export type RootFolder =
  /** Absolute. */
  | { readonly kind: 'given'; readonly path: string }
  /** A file of the project reads what is the user's. */
  | { readonly kind: 'variable'; readonly written: string }
  | { readonly kind: 'outside'; readonly link: string | undefined; readonly target: string }
  | { readonly kind: 'missing'; readonly path: string };

/** Places that tell a server no more than where its own folder is. */
const placesOfFolder: ReadonlySet<string> = new Set([
  'workspaceFolder',
  'workspaceFolderBasename',
  'pathSeparator',
]);

/**
 * A folder that a file of the project names. It has to lie in the project's own folder, by where its links lead, and
 * nothing of the user may be put into it. What is outside is not looked at.
 * @param isThere whether there is a folder. Asked for what is inside only.
 */
export async function projectRoot(
  written: string,
  { folder, homeDir }: Places,
  isThere: (path: string) => Promise<boolean> = isFolder,
): Promise<RootFolder> {
  const foreign = variablesIn(written).find((part) => !isOfFolder(part));
  const path = foreign ? undefined : withPlaces(written, { folder, homeDir });
  if (path === undefined || folder === undefined) {
    const { start = 0, end = written.length } = foreign?.range ?? {};
    return { kind: 'variable', written: written.slice(start, end) };
  }
  const found = await pathInFolder(folder, path);
  if (found.kind === 'outside') {
    return found;
  }
  if (!(await isThere(found.path))) {
    return { kind: 'missing', path };
  }
  // free of links below the folder: what a link leads to later is not what was looked at
  const real = await realPath(resolve(folder));
  return { kind: 'given', path: resolve(folder, relative(real, found.path)) };
}

/**
 * In a file of the user its folders would count wherever they are.
 * @throws {HumanError} when the server was not told of one of them for where it is, or for what it reads.
 */
export async function assertRootsInside(
  roots: RootsChoice | undefined,
  places: Places,
): Promise<void> {
  for (const written of Array.isArray(roots) ? roots : []) {
    const found = await projectRoot(written, places, async () => true);
    const refusal = rootRefusal(found, written);
    if (refusal) {
      throw new HumanError('root-not-given', refusal.message, { remedy: refusal.remedy });
    }
  }
}

/** @param text with its variables filled in. @param base what a relative path is relative to. */
export async function userRoot(text: string, base: string, homeDir: string): Promise<RootFolder> {
  const path = resolve(base, expandTilde(text, homeDir));
  return { kind: (await isFolder(path)) ? 'given' : 'missing', path };
}

/** What a server is told of, as its files say it. */
export function rootsText({ options: { roots }, folder }: McpServerDefinition): string {
  switch (roots) {
    case undefined:
      return l10n.t('the workspace folder, or none if the arguments name a folder outside');
    case 'folder':
      return folder ? l10n.t('The workspace folder') : l10n.t('all folders of the workspace');
    case 'none':
      return l10n.t('None');
    default:
      return roots.length > 0 ? roots.join(', ') : l10n.t('None');
  }
}

/** {@link rootsText} with what it is, for who sees no more than what differs from the default. */
export function rootsLine(definition: McpServerDefinition): string | undefined {
  return definition.options.roots === undefined
    ? undefined
    : `${rootsLabel()}: ${rootsText(definition)}`;
}

export function rootsLabel(): string {
  return l10n.t('is told of the folders');
}

/** Why a server is not told of a folder. */
export function rootRefusal(
  found: RootFolder,
  written: string,
): { readonly message: string; readonly remedy: string } | undefined {
  const refused = (reason: string, remedy: string) => ({
    message: l10n.t('The server is not told of a folder. {0}', reason),
    remedy,
  });
  const inside = l10n.t(
    'Name a folder inside of the workspace folder, or write "roots" into your own file for this folder.',
  );
  switch (found.kind) {
    case 'given':
      return undefined;
    case 'missing': {
      const reason = l10n.t('The folder "{0}" does not exist.', written);
      return refused(reason, l10n.t('Create it, or correct "{0}".', 'roots'));
    }
    case 'outside': {
      const way = found.link === undefined ? written : `${written} (${found.link})`;
      return refused(l10n.t('{0} leads out of the folder, to {1}.', way, found.target), inside);
    }
    case 'variable':
      return refused(l10n.t('A file of the project may not read {0}.', found.written), inside);
  }
}

function isOfFolder({ variable }: VariablePart): boolean {
  return variable.kind === 'place' && placesOfFolder.has(variable.name);
}
