import { basename, isAbsolute, join, resolve, sep } from 'node:path';
import { type PlaceName, parseTemplate } from './variables.js';

export interface Places {
  /** Absolute path of the folder that the entry belongs to. */
  readonly folder: string | undefined;
  readonly homeDir: string;
}

/** The text with its places filled in and `~/` expanded; `undefined` while it depends on anything else. */
export function withPlaces(value: string, places: Places): string | undefined {
  let text = '';
  for (const part of parseTemplate(value)) {
    const next =
      part.kind === 'text'
        ? part.text
        : part.variable.kind === 'place'
          ? placeText(part.variable.name, places)
          : undefined;
    if (next === undefined) {
      return undefined;
    }
    text += next;
  }
  return expandTilde(text, places.homeDir);
}

/** `~/` at the start stands for the home directory, as a shell would read it. */
export function expandTilde(text: string, homeDir: string): string {
  const isHome = text === '~' || text.startsWith('~/') || text.startsWith('~\\');
  return isHome ? expandHome(text, homeDir) : text;
}

export function placeText(name: PlaceName, { folder, homeDir }: Places): string | undefined {
  switch (name) {
    case 'workspaceFolder':
      return folder;
    case 'workspaceFolderBasename':
      return folder && basename(folder);
    case 'userHome':
      return homeDir;
    case 'pathSeparator':
      return sep;
  }
}

/** `~` and `~/…` stand for the home directory; a relative path is relative to it. */
export function expandHome(path: string, homeDir: string): string {
  if (path === '~') {
    return homeDir;
  }
  if (path.startsWith('~/') || path.startsWith('~\\')) {
    return join(homeDir, path.slice(2));
  }
  return isAbsolute(path) ? path : resolve(homeDir, path);
}
