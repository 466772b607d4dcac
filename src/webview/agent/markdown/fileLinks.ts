/** Names of files in answers as links, which the extension opens if they lead to a file of the folder. */

/** Characters. */
const maxLength = 300;
// a folder in it, a line behind it, or an ending that files have
const ending =
  /\.(?:[cm]?[jt]sx?|jsonc?|md|mdx|py|rs|go|java|kt|cs|c|h|cc|cpp|hpp|rb|php|swift|sh|ps1|ya?ml|toml|xml|html?|css|scss|sql|txt|lock|ini|cfg|vue|svelte)$/i;
const spaceOrOdd = /[\s<>"'`|*?(){}[\]$;,=]/;

export interface FilePlaceName {
  readonly path: string;
  /** From 1. */
  readonly line?: number;
}

/** `undefined` for what is no name of a file, or not only that. */
export function filePlaceOf(text: string): FilePlaceName | undefined {
  if (text.length > maxLength) {
    return undefined;
  }
  const [, path = '', first, second] =
    /^(.*?)(?::(\d{1,7})(?:[:-]\d{1,7})*|#L(\d{1,7})(?:-L?\d{1,7})?)?$/.exec(text) ?? [];
  const line = Number(first ?? second ?? 0);
  const name = path.split(/[\\/]/).at(-1) ?? '';
  const isNamed = name.includes('.') && !/^\.+$/.test(name);
  const isFile = ending.test(name) || (isNamed && (line > 0 || /[\\/]/.test(path)));
  if (!isFile || /^[a-z][\w+.-]+:/i.test(path) || path.startsWith('//')) {
    return undefined;
  }
  return { path, line: line > 0 ? line : undefined };
}

/** A name that stands as code, where blanks and signs say that it is something else. */
export function filePlaceOfCode(text: string): FilePlaceName | undefined {
  return spaceOrOdd.test(text) || text.startsWith('-') ? undefined : filePlaceOf(text);
}

/** Marks the link; what it leads to is no address. */
export function makeFileLink(link: HTMLAnchorElement, { path, line }: FilePlaceName): void {
  link.href = '#';
  link.dataset.file = path;
  link.title = line === undefined ? path : `${path}:${line}`;
  if (line !== undefined) {
    link.dataset.line = String(line);
  }
}
