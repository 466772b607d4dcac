/** What a chunk loads, as the metafile of esbuild says. */
import { basename } from 'node:path';

export const isStatic = ({ kind }) => kind !== 'dynamic-import';

/** All that can be reached, in the order in which it is found; `behind` is told of each behind what it leads to. */
export function visit(start, below, behind = () => undefined) {
  const found = new Set();
  const add = (one) => {
    if (!found.has(one)) {
      found.add(one);
      below(one).forEach(add);
      behind(one);
    }
  };
  add(start);
  return found;
}

/** Names of the chunk and all that it loads; `behind` is told of each behind what it loads itself. */
export function reachable({ outputs }, entry, { follows = () => true, behind } = {}) {
  const paths = new Map(Object.keys(outputs).map((path) => [basename(path), path]));
  const below = (name) =>
    outputs[paths.get(name)].imports
      .filter((one) => follows(one) && one.path in outputs)
      .map(({ path }) => basename(path));
  return visit(basename(entry), below, behind);
}
