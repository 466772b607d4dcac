/** Looks into messages before anything that recurses sees them. All of it is linear and without recursion. */

const quote = 0x22;
const backslash = 0x5c;

/** Whether arrays and objects of a JSON text are nested in more than `depth` levels. */
export function isNestedDeeper(text: string, depth: number): boolean {
  let level = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
    } else if (code === 0x7b || code === 0x5b) {
      if (++level > depth) {
        return true;
      }
    } else if (code === 0x7d || code === 0x5d) {
      level--;
    }
  }
  return false;
}

/** The names of all fields in a JSON text that has no spaces, each in its quotation marks. */
export function fieldNames(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) {
    const start = at;
    at = endOfString(text, start);
    if (text[at + 1] === ':') {
      names.add(text.slice(start, at + 1));
    }
  }
  return names;
}

/** Offset of the quote that ends the string which begins at `start`, or of the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) {
      before--;
    }
    if ((end - before) % 2 === 1) {
      return end;
    }
  }
  return text.length;
}

/**
 * Puts `null` in the place of what is nested in more than `depth` levels, in the value itself.
 * @returns whether there was anything.
 */
export function pruneDeeper(root: unknown, depth: number): boolean {
  let containers = isContainer(root) ? [root] : [];
  let wasPruned = false;
  for (let level = 1; containers.length > 0; level++) {
    const next: Container[] = [];
    for (const container of containers) {
      // the places of a long list as texts would take a gigabyte
      for (const key of Array.isArray(container) ? container.keys() : Object.keys(container)) {
        const child = container[key];
        if (!isContainer(child)) {
          continue;
        }
        if (level < depth) {
          next.push(child);
        } else {
          container[key] = null;
          wasPruned = true;
        }
      }
    }
    containers = next;
  }
  return wasPruned;
}

type Container = Record<string, unknown>;

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}
