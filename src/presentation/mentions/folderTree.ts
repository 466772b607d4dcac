/** The files of a folder as a tree: names alone, in no more lines than anybody reads. */

const maxLines = 400;

/** @param paths relative to the folder, with `/` */
export function folderTree(paths: readonly string[]): string {
  const lines: string[] = [];
  const shown = new Set<string>();
  let left = 0;
  for (const path of [...paths].sort(byPart)) {
    const parts = path.split('/');
    for (const [depth, part] of parts.entries()) {
      const isFile = depth === parts.length - 1;
      const key = parts.slice(0, depth + 1).join('/');
      if (isFile || !shown.has(key)) {
        shown.add(key);
        if (lines.length < maxLines) {
          lines.push(`${'  '.repeat(depth)}${part}${isFile ? '' : '/'}`);
        } else {
          left += isFile ? 1 : 0;
        }
      }
    }
  }
  return [...lines, ...(left > 0 ? [`[${left} more files]`] : [])].join('\n');
}

/** Folder by folder, as an explorer has them. */
function byPart(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  const at = left.findIndex((part, index) => part !== right[index]);
  const [one = '', other = ''] = [left[at], right[at]];
  const isFile = (parts: readonly string[]) => at === parts.length - 1;
  return isFile(left) === isFile(right) ? (one < other ? -1 : 1) : isFile(left) ? 1 : -1;
}
