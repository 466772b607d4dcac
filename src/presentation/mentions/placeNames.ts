/** What places of the workspace are called, in the menu, in the message and for the model. */

interface NamedFolder {
  readonly name: string;
  readonly fsPath: string;
}

/** What stands before the paths of a folder: nothing where it is the only one; of two of one name, the folders above tell which. */
export function folderPrefix({ name, fsPath }: NamedFolder, all: readonly NamedFolder[]): string {
  if (all.length < 2) {
    return '';
  }
  const own = partsOfPath(fsPath);
  const alike = all.filter((one) => one.name === name && one.fsPath !== fsPath);
  const others = alike.map((one) => partsOfPath(one.fsPath));
  const end = (parts: readonly string[], count: number) => parts.slice(-count).join('/');
  let count = 2;
  while (count < own.length && others.some((parts) => end(parts, count) === end(own, count))) {
    count++;
  }
  return `${alike.length > 0 ? end(own, count) : name}/`;
}

function partsOfPath(fsPath: string): readonly string[] {
  return fsPath.split(/[\\/]/).filter((part) => part !== '');
}

/** What stands after `@` in a message: in quotes where a blank would end it. */
export function mentionWord(label: string): string {
  return /\s/.test(label) ? `"${label}"` : label;
}

/**
 * The path of an address of a remote window, on the machine on which this code runs.
 * @param remoteName the kind of this window's remote, without its host; `undefined`: it has none
 * @returns `undefined` when the address is of another machine, where the same path is another file
 */
export function remotePath(
  { authority, path }: { readonly authority: string; readonly path: string },
  remoteName: string | undefined,
): string | undefined {
  const [kind] = authority.split('+');
  const isOurs = remoteName !== undefined && [kind, authority].includes(remoteName);
  return isOurs ? path : undefined;
}
