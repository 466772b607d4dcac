/** What a file of the user says of one tool, where the entry may hold nothing else. */
import { asObject, isJsonObject, type JsonObject } from '../../base/json.js';
import { globalPoolId, type McpServerDefinition } from '../definition.js';
import type { ConfigFileLocation } from '../parse/configLocations.js';
import { parseOwnFile } from '../parse/parseConfig.js';
import { restoreSecrets } from '../secrets/secretMerge.js';
import type { EditableConfig } from './editConfig.js';
import { type EditablePools, locationIn } from './poolFiles.js';

const field = 'toolOverrides';

/**
 * The user's own file for the folder, which a repository cannot write; of the user's servers the highest file that has
 * the entry, or the one that may be written.
 * @throws {HumanError} where there is no such file.
 */
export async function overrideLocation(
  pools: EditablePools,
  { poolId, name }: McpServerDefinition,
): Promise<ConfigFileLocation> {
  if (poolId !== globalPoolId) {
    return locationIn(pools, poolId, 'local');
  }
  for (const location of pools.locations(poolId).toReversed()) {
    const { entries } = parseOwnFile((await pools.readText(location)) ?? '', location);
    if (entries.some((entry) => entry.name === name)) {
      return location;
    }
  }
  return locationIn(pools, poolId, 'primary');
}

/** Holds secrets as the file does. */
export function writtenOverride(config: EditableConfig, name: string, tool: string): JsonObject {
  const all = config.entry(name)?.raw?.[field];
  const override = isJsonObject(all) && Object.hasOwn(all, tool) ? all[tool] : undefined;
  return asObject(override);
}

/** @param override nothing: the tool is left to its server */
export function changeOverride(
  config: EditableConfig,
  name: string,
  tool: string,
  override: JsonObject,
): EditableConfig {
  const entry = config.entry(name);
  const all = entry?.raw?.[field];
  const others = Object.entries(asObject(all)).filter(([one]) => one !== tool);
  const said = Object.keys(override).length > 0 ? [[tool, override] as const] : [];
  const change = { [field]: Object.fromEntries([...others, ...said]) };
  const restored = restoreSecrets(change, entry?.raw);
  if (!entry) {
    return said.length > 0 ? config.override(name, restored) : config;
  }
  const isEmpty = others.length + said.length === 0;
  const changed = config.changeServer(name, isEmpty ? { [field]: undefined } : restored);
  // an entry of switches that has none left says nothing
  return Object.keys(changed.entry(name)?.raw ?? {}).length === 0
    ? changed.removeServer(name)
    : changed;
}
