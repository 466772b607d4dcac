import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostEnvironment } from '../../platform/ports.js';

/**
 * Whether there may be a model, without loading Pi: some login, key or description of one exists.
 * @param agentDir of the user's Pi; absolute
 */
export async function mayHaveModel(
  agentDir: string,
  environment: HostEnvironment,
): Promise<boolean> {
  if (Object.keys(environment.allVariables()).some((name) => name.endsWith('_API_KEY'))) {
    return true;
  }
  const files = ['models.json', 'auth.json'].map((name) =>
    access(join(agentDir, name)).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(files)).includes(true);
}
