/** Which chunks share a file: each file takes its time to be found and read. */
import { basename } from 'node:path';
import { cutNames, stages } from './chunks.mjs';
import { isStatic, reachable } from './graph.mjs';
import { isFirst, openBytes, turnBytes } from './turns.mjs';

/** Of a chunk that shares its file with others like it. */
const smallBytes = 4_000;
const smallFile = 'small';

/** Each file takes its time to load: chunks that start together are one file. @returns its name, by chunk */
export function jointFiles(metafile) {
  const ofCli = reachable(metafile, 'dist/cli.js');
  const joints = new Map();
  for (const entry of stages) {
    for (const name of reachable(metafile, `dist/${entry}.js`, { follows: isStatic })) {
      const isShared = !metafile.outputs[`dist/${name}`].entryPoint;
      if (isShared && !joints.has(name)) {
        joints.set(name, `${entry}${ofCli.has(name) ? 'Core' : ''}.js`);
      }
    }
  }
  joinParts(metafile, joints, ofCli);
  return joints;
}

/** Small chunks become one file, and chunks that the same entries load become files that are loaded in one turn each. */
function joinParts(metafile, joints, ofCli) {
  const groups = new Map();
  for (const [name, entries] of entriesOf(metafile)) {
    if (isSmall(name, metafile, joints)) {
      joints.set(name, `${smallFile}${ofCli.has(name) ? 'Core' : ''}.js`);
    } else if (!joints.has(name)) {
      const key = entries.join(' ');
      groups.set(key, [...(groups.get(key) ?? []), name]);
    }
  }
  for (const names of groups.values()) {
    for (const run of runsOf(names, metafile)) {
      const last = run.at(-1);
      const joint = metafile.outputs[`dist/${last}`].entryPoint
        ? last
        : last.replace(/^\w+/, 'shared');
      for (const name of run.length > 1 ? run : []) {
        if (name !== joint) {
          joints.set(name, joint);
        }
      }
    }
  }
}

/** Whether the chunk takes longer to open than to run, and needs nothing else but such ones. */
function isSmall(name, { outputs }, joints) {
  const { entryPoint, bytes, imports } = outputs[`dist/${name}`];
  const isThere = (file = '') => isFirst(file) || file.startsWith(smallFile);
  return (
    !entryPoint &&
    !joints.has(name) &&
    bytes < smallBytes &&
    imports.every(
      ({ path, kind, external }) =>
        kind === 'dynamic-import' ||
        external ||
        isThere(joints.get(basename(path)) ?? basename(path)),
    )
  );
}

/** Chunks in their order, as many together as fit into one turn. */
function runsOf(names, { outputs }) {
  const runs = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const more = outputs[`dist/${name}`].bytes;
    bytes += more;
    if (bytes > turnBytes - openBytes) {
      runs.push([]);
      bytes = more;
    }
    runs.at(-1).push(name);
  }
  return runs;
}

/** The chunks of entries, each behind what it loads itself, with the entries that load it. */
function entriesOf(metafile) {
  const loaders = new Map();
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
    const entry = basename(path);
    if (entryPoint && !cutNames.has(entry)) {
      const behind = (name) => loaders.set(name, [...(loaders.get(name) ?? []), entry]);
      reachable(metafile, path, { follows: isStatic, behind });
    }
  }
  return loaders;
}
