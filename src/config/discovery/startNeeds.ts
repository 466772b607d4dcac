import { readTextFile } from '../../platform/boundedFile.js';
import { isThere, pathInFolder } from '../../platform/folderPath.js';
import { type ConfigFileLocation, folderConfigNames } from '../parse/configLocations.js';

/** Lifecycles that start a server with the window; looked for in the text, since parsing needs all the rest of us. */
const startsWithWindow = /"(?:eager|keep-alive)"/;

/**
 * Whether a window needs us before the user asks for anything: a folder declares servers, or a server of the user
 * starts with every window. Rather yes than no. Never rejects.
 * @param folders absolute paths
 * @param localFiles of the folders, which the user keeps elsewhere
 */
export async function isNeededAtStart(
  folders: readonly string[],
  globalFiles: readonly ConfigFileLocation[],
  localFiles: readonly ConfigFileLocation[],
): Promise<boolean> {
  const there = await Promise.all([
    ...folders.flatMap((folder) => folderConfigNames.map((name) => mayBeThere(folder, name))),
    ...localFiles.map(({ path }) => isThere(path)),
  ]);
  // whoever is needed reads all files, and nothing is to be read twice
  const answers = there.includes(true)
    ? there
    : await Promise.all(globalFiles.map(({ path }) => startsServers(path)));
  return answers.includes(true);
}

/** A link out of the folder counts as there: what it leads to must not be looked at. */
async function mayBeThere(folder: string, name: string): Promise<boolean> {
  try {
    const found = await pathInFolder(folder, name);
    return found.kind === 'outside' || (await isThere(found.path));
  } catch {
    // not to be read, which is told once we are needed
    return true;
  }
}

async function startsServers(path: string): Promise<boolean> {
  try {
    return startsWithWindow.test(await readTextFile(path));
  } catch {
    // not there, or not to be read, which is told once we are needed
    return false;
  }
}
