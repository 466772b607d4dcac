/** Which programs that read the same files are used in a folder: by what they keep there. */
import { stat } from 'node:fs/promises';
import { realPathInFolder } from '../../platform/folderPath.js';
import type { OtherClient } from './lintTypes.js';

const marks: Readonly<Record<OtherClient, readonly string[]>> = {
  'claude-code': ['.claude', 'CLAUDE.md', 'CLAUDE.local.md'],
  vscode: ['.vscode/mcp.json'],
};

/** Looks at nothing outside of the folder. Never rejects. */
export async function clientsOfFolder(
  folder: string | undefined,
): Promise<ReadonlySet<OtherClient>> {
  const clients = Object.keys(marks) as OtherClient[];
  const used = await Promise.all(
    clients.map(async (client) => {
      const found = folder === undefined ? [] : marks[client].map((name) => exists(folder, name));
      return (await Promise.all(found)).includes(true);
    }),
  );
  return new Set(clients.filter((_client, index) => used[index]));
}

async function exists(folder: string, name: string): Promise<boolean> {
  try {
    await stat(await realPathInFolder(folder, name));
    return true;
  } catch {
    // not there, or behind a link that leaves the folder
    return false;
  }
}
