/**
 * The user's and the project's Pi settings, read-only. Package and extension lists are hidden: loading them would
 * install from the network, and Pi extensions that speak MCP would offer every tool twice.
 */
import { join } from 'node:path';
import { isJsonObject } from '../base/json.js';
import { readTextFileSync } from '../mcp/boundedFile.js';
import type { PiModule, PiSettings } from './piModule.js';

export function readPiSettings(
  pi: PiModule,
  places: { readonly agentDir: string; readonly cwd: string; readonly isProjectTrusted: boolean },
): PiSettings {
  const paths = {
    global: join(places.agentDir, 'settings.json'),
    project: join(places.cwd, '.pi', 'settings.json'),
  };
  return pi.SettingsManager.fromStorage(
    {
      withLock: (scope, read) => {
        read(readWithoutCode(paths[scope]));
      },
    },
    { projectTrusted: places.isProjectTrusted },
  );
}

function readWithoutCode(path: string): string | undefined {
  let text: string;
  try {
    text = readTextFileSync(path);
  } catch {
    // most users have no such file, and what is no file holds no settings
    return undefined;
  }
  try {
    const settings: unknown = JSON.parse(text);
    return isJsonObject(settings)
      ? JSON.stringify({ ...settings, packages: [], extensions: [] })
      : undefined;
  } catch {
    // Pi would refuse the file as well; its defaults apply
    return undefined;
  }
}
