import type { ConfigFileLocation } from './configLocations.js';
import type { ParsedConfigFile } from './configTypes.js';
import { parseCodexConfig } from './imports/codex.js';
import { parseConfig } from './parseConfig.js';

/** Reads a file's text in the format of its location. Never throws. */
export function parseLocation(text: string, location: ConfigFileLocation): ParsedConfigFile {
  return location.importSource === 'codex'
    ? parseCodexConfig(text, location)
    : parseConfig(text, location);
}
