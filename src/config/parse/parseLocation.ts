import { maxFolderFileLength, maxUserFileLength } from './bounds.js';
import { parseCodexConfig } from './codex.js';
import type { ConfigFileLocation } from './configLocations.js';
import type { ParsedConfigFile } from './configTypes.js';
import { parseConfig } from './parseConfig.js';

/** Characters, and bytes, of a file that is read. */
export function maxLengthOf({ folder }: Pick<ConfigFileLocation, 'folder'>): number {
  return folder === undefined ? maxUserFileLength : maxFolderFileLength;
}

/** Reads a file's text in the format of its location. Never throws. */
export function parseLocation(text: string, location: ConfigFileLocation): ParsedConfigFile {
  const options = { ...location, maxLength: maxLengthOf(location) };
  return location.importSource === 'codex'
    ? parseCodexConfig(text, options)
    : parseConfig(text, options);
}
