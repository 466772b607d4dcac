import type { ConfigFileLocation } from './configLocations.js';
import type { ParsedConfigFile } from './configTypes.js';
import { parseConfig } from './parseConfig.js';

/** Reads a file's text in the format of its location. Never throws. */
export function parseLocation(text: string, location: ConfigFileLocation): ParsedConfigFile {
  return parseConfig(text, location);
}
