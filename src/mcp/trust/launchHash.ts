import { createHash } from 'node:crypto';
import { stableStringify } from '../../base/json.js';
import type { McpServerLaunch } from '../mcpTypes.js';

/**
 * Hash of everything that decides what runs or whom it talks to, as written: variables stay unresolved, so that the
 * hash is of what the user saw. Independent of the order of `env` and `headers`.
 */
export function launchHash(launch: McpServerLaunch): string {
  // the defaults are written out, so that adding a field with its default value changes nothing
  const complete =
    launch.kind === 'stdio'
      ? { ...launch, protocolVersion: launch.protocolVersion ?? 'legacy' }
      : { ...launch, protocolVersion: launch.protocolVersion ?? 'legacy', auth: launch.auth ?? '' };
  return createHash('sha256').update(stableStringify(complete)).digest('hex');
}
