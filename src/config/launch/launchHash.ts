import { createHash, hash } from 'node:crypto';
import { stableStringify } from '../../base/json.js';
import type { McpServerDefinition, McpServerLaunch } from '../definition.js';
import { defaultProtocol } from '../schema/fields.js';

/** Launches never change. */
const hashes = new WeakMap<McpServerLaunch, string>();

/**
 * Hash of everything that decides what runs or whom it talks to, as written: variables stay unresolved, so that the
 * hash is of what the user saw. Independent of the order of `env` and `headers`.
 */
export function launchHash(launch: McpServerLaunch): string {
  const known = hashes.get(launch);
  if (known !== undefined) {
    return known;
  }
  // the defaults are written out, so that adding a field with its default value changes nothing
  const { protocolVersion = defaultProtocol } = launch;
  const complete =
    launch.kind === 'stdio'
      ? { ...launch, protocolVersion }
      : { ...launch, protocolVersion, auth: launch.auth ?? '' };
  const value = hash('sha256', stableStringify(complete));
  hashes.set(launch, value);
  return value;
}

/** The same of a definition; empty when it cannot be launched. */
export function hashOf({ launch }: McpServerDefinition): string {
  return launch ? launchHash(launch) : '';
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
