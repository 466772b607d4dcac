import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HostEnvironment } from '../../platform/ports.js';

/**
 * Whether there may be a model, without loading Pi: some login, key or description of one exists.
 * @param agentDir of the user's Pi; absolute
 */
export function mayHaveModel(agentDir: string, environment: HostEnvironment): boolean {
  return (
    ['models.json', 'auth.json'].some((name) => existsSync(join(agentDir, name))) ||
    Object.keys(environment.allVariables()).some((name) => name.endsWith('_API_KEY'))
  );
}
