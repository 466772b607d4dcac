/**
 * What a version stored, as one file that belongs to no machine: a JSON object of texts by path below a root. Marks stand
 * for what is of the place alone. How names of files depend on it is written here as that version did it.
 */
import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Place {
  /** Absolute. */
  readonly root: string;
  /** Of the remote server, such as `http://127.0.0.1:4000`. */
  readonly origin: string;
}

/** Names of folders and servers in it. */
export const names = { folder: 'app', wholeFolder: 'whole', server: 'words', account: 'account' };

type Marks = readonly (readonly [mark: string, text: string])[];

function marksOf({ root, origin }: Place): Marks {
  const uri = (name: string) => pathToFileURL(join(root, name)).href;
  return [
    ['{{conversations}}', hash('sha256', uri(names.folder)).slice(0, 16)],
    ['{{server}}', hash('sha256', `${uri(names.folder)}#${names.server}`).slice(0, 32)],
    ['{{origin}}', origin],
    ['{{node}}', process.execPath],
    ['{{root}}', root],
  ];
}

export async function pack(place: Place): Promise<Readonly<Record<string, string>>> {
  const write = (text: string) =>
    marksOf(place).reduce((before, [mark, own]) => before.replaceAll(own, mark), text);
  const entries = await readdir(place.root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const packed = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [write(relative(place.root, path)), write(await readFile(path, 'utf8'))] as const;
    }),
  );
  return Object.fromEntries(packed.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export async function unpack(
  packed: Readonly<Record<string, string>>,
  place: Place,
): Promise<void> {
  const read = (text: string) =>
    marksOf(place).reduce((before, [mark, own]) => before.replaceAll(mark, own), text);
  for (const [path, text] of Object.entries(packed)) {
    const file = join(place.root, read(path));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, read(text));
  }
}
