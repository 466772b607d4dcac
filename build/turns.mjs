/** What is loaded in one turn of the event loop each. */
import { basename } from 'node:path';
import { isStatic, visit } from './graph.mjs';

/** Minified, of what is loaded before others get their turn. */
export const turnBytes = 64_000;
/** What it takes to find, to read and to wrap a file, as if it were so much longer. */
export const openBytes = 8_000;
/** What the first rows wait for: each byte of it counts, and it is there when anything else is loaded. */
const firstFiles = /^(?:extension|composition)(?:Core)?\.js$/;

/**
 * What `import()` loads comes without the loader of ES modules, which takes up to 300 ms for its own start and to look for
 * the format and the exports of a chunk. Pi is an ES module.
 */
export const withoutModuleLoader = (own, text, metafile, joints) =>
  text.replace(/\bimport\("\.\/([\w-]+\.js)"\)/g, (_all, name) => {
    const turns = turnsOf(name, own, metafile, joints);
    return isFirst(name) || turns.flat().length === 1
      ? `Promise.resolve().then(() => require("./${name}"))`
      : `loadInTurns(${turns.map((files) => JSON.stringify(files.join(' ')))})`;
  });

/** Others get their turn between the files, and before these are used. No source knows the name, so that none takes it. */
const loadInTurns =
  'const loadInTurns=(...turns)=>turns.reduce((before,files)=>before.then(()=>new Promise((then)=>setImmediate(then,files.split(" ").map((file)=>require("./"+file)).pop()))),Promise.resolve());';
export const bannerFor = (text) => (text.includes('loadInTurns(') ? loadInTurns : '');

/**
 * The files that `import()` of a chunk loads, in their order.
 * @param own the chunk that does so
 * @returns what is loaded in one turn of the event loop each
 */
function turnsOf(name, own, metafile, joints) {
  const there = filesBehind(own, metafile, joints);
  const files = filesBehind(name, metafile, joints).filter(
    (file) => !there.includes(file) && !isFirst(file),
  );
  const turns = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const file of files) {
    const more = partsOf(file, joints).reduce(
      (sum, part) => sum + (metafile.outputs[`dist/${part}`]?.bytes ?? 0),
      openBytes,
    );
    bytes += more;
    if (bytes > turnBytes) {
      turns.push([]);
      bytes = more;
    }
    turns.at(-1).push(file);
  }
  return turns;
}

/** What is loaded with a chunk, each file behind what it needs itself. */
function filesBehind(name, { outputs }, joints) {
  const fileOf = (chunk) => joints.get(chunk) ?? chunk;
  const below = (file) =>
    partsOf(file, joints)
      .flatMap((part) => outputs[`dist/${part}`]?.imports.filter(isStatic) ?? [])
      .filter(({ path }) => path in outputs)
      .map(({ path }) => fileOf(basename(path)));
  const files = [];
  visit(fileOf(name), below, (file) => files.push(file));
  return files;
}

export const partsOf = (file, joints) => [
  ...[...joints].flatMap(([part, joint]) => (joint === file ? [part] : [])),
  file,
];
export const isFirst = (file) => firstFiles.test(file);
