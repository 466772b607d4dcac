/** Whether git leaves a file alone that nobody has added: its ignore files, read without running git. */
import { lstat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ignore from 'ignore';
import { readTextFile } from '../../platform/boundedFile.js';
import { realPathInFolder } from '../../platform/folderPath.js';

/** Every line becomes a regular expression; a larger file counts as none. */
const maxIgnoreBytes = 64 * 1024;

/** False outside of a repository. `core.excludesFile` is not looked for at other than its usual place. Never rejects. */
export async function isIgnoredByGit(path: string, homeDir: string): Promise<boolean> {
  const root = await repositoryOf(path);
  if (root === undefined) {
    return false;
  }
  const ofRepository = (base: string, ...file: readonly string[]) => ({
    base,
    // a link out of the repository counts as no file
    read: async () =>
      readTextFile(await realPathInFolder(root, join(base, ...file)), maxIgnoreBytes),
  });
  const files = [
    {
      base: root,
      read: () => readTextFile(join(homeDir, '.config', 'git', 'ignore'), maxIgnoreBytes),
    },
    ofRepository(root, '.git', 'info', 'exclude'),
    ...foldersBetween(root, path).map((base) => ofRepository(base, '.gitignore')),
  ];
  let isIgnored = false;
  // from the least to the most specific, each of which may change what the others say
  for (const { base, read } of files) {
    const { ignored, unignored } = testRules(
      await read().catch(() => ''),
      relative(base, path).split(sep).join('/'),
    );
    isIgnored = ignored || (isIgnored && !unignored);
  }
  return isIgnored;
}

function testRules(text: string, path: string) {
  try {
    return ignore().add(text).test(path);
  } catch {
    // a line that makes no regular expression, such as one of thousands of stars
    return { ignored: false, unignored: false };
  }
}

async function repositoryOf(path: string): Promise<string | undefined> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    // a file in a worktree
    const marker = await lstat(join(folder, '.git')).catch(() => undefined);
    if (marker) {
      return folder;
    }
    if (folder === dirname(folder)) {
      return undefined;
    }
  }
}

/** The folder of the file last. */
function foldersBetween(root: string, path: string): readonly string[] {
  const folders = [dirname(path)];
  while (folders[0] !== undefined && folders[0] !== root) {
    folders.unshift(dirname(folders[0]));
  }
  return folders;
}
