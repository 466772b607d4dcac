/** Patterns in which `*` stands for any characters. Not a regular expression: the time grows with the text alone. */

/** A pattern in lower case. */
export type Glob = string;

export function toGlob(pattern: string): Glob {
  return pattern.toLowerCase();
}

/**
 * Takes each part between two stars at its first place behind the one before: what fits at all fits so. Stops at the
 * first part that is missing. Knows no upper and lower case.
 */
export function fitsGlob(glob: Glob, text: string): boolean {
  const name = text.toLowerCase();
  const lastStar = glob.lastIndexOf('*');
  if (lastStar === -1) {
    return name === glob;
  }
  let star = glob.indexOf('*');
  const last = glob.slice(lastStar + 1);
  if (!name.startsWith(glob.slice(0, star)) || !name.endsWith(last)) {
    return false;
  }
  let at = star;
  while (star < lastStar) {
    const next = glob.indexOf('*', star + 1);
    const part = glob.slice(star + 1, next);
    const found = name.indexOf(part, at);
    if (found === -1) {
      return false;
    }
    at = found + part.length;
    star = next;
  }
  return at <= name.length - last.length;
}
