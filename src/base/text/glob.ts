/** Patterns in which `*` stands for any characters. Not a regular expression: the time grows with the text alone. */

/** The parts between the stars, in lower case. */
export type Glob = readonly string[];

export function toGlob(pattern: string): Glob {
  return pattern.toLowerCase().split('*');
}

/** Takes each part at its first place behind the one before: what fits at all fits so. Knows no upper and lower case. */
export function fitsGlob(parts: Glob, text: string): boolean {
  const name = text.toLowerCase();
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) {
    return name === first;
  }
  if (!name.startsWith(first) || !name.endsWith(last)) {
    return false;
  }
  const end = name.length - last.length;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found === -1) {
      return false;
    }
    at = found + part.length;
  }
  return at <= end;
}
