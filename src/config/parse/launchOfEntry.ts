import type { JsonObject } from '../../base/json.js';
import type { McpServerLaunch } from '../definition.js';
import { parseConfig } from './parseConfig.js';

/** What an entry that stands in no file yet would do; `undefined` when it cannot be used. */
export function launchOfEntry(name: string, entry: JsonObject): McpServerLaunch | undefined {
  const text = JSON.stringify({ mcpServers: { [name]: entry } });
  return parseConfig(text, { path: '', layer: 'user' }).entries[0]?.launch;
}
