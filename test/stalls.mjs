// @ts-check
/** What held up the extension host while windows were tested or measured: the part that is ours. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * @typedef {object} OwnStall
 * @property {number} ms for which the event loop did not come round
 * @property {number} cpuMs of these in which the host had a processor; on a loaded machine far fewer
 * @property {number} ownCpuMs of these in our code
 * @property {string} place our function in which it was longest
 * @property {readonly string[]} stack there, innermost first
 *
 * @typedef {{ readonly story: string, readonly stalls: readonly OwnStall[] }} Story one test file
 */

/** Of our processor time: what a person feels. */
const feltMs = 50;

/**
 * What each window left in the folder.
 * @param {string} dir
 * @returns {readonly Story[]}
 */
export function readStalls(dir) {
  return readdirSync(dir)
    .sort()
    .map((name) => ({
      story: basename(name, '.jsonl'),
      stalls: readFileSync(join(dir, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    }));
}

/**
 * Adds the stories of a ring to the file with those of the others.
 * @param {string} results
 * @param {string} ring
 * @param {readonly Story[]} stories
 */
export function storeStalls(results, ring, stories) {
  const path = join(results, 'stalls.json');
  mkdirSync(results, { recursive: true });
  const all = { ...readStored(path), [ring]: stories };
  writeFileSync(path, `${JSON.stringify(all, undefined, 2)}\n`);
}

/**
 * @param {string} path
 * @returns {Record<string, readonly Story[]>}
 */
function readStored(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // the first one
    return {};
  }
}

/**
 * The longest of each story, and every one that a person feels.
 * @param {readonly Story[]} stories
 * @returns {readonly string[]} lines
 */
export function describeStalls(stories) {
  const longest = stories
    .map(({ story, stalls }) => ({ story, worst: inOrder(stalls)[0] }))
    .sort((one, other) => (other.worst?.ownCpuMs ?? 0) - (one.worst?.ownCpuMs ?? 0));
  const width = Math.max(0, ...stories.map(({ story }) => story.length));
  const felt = stories.flatMap(({ story, stalls }) =>
    inOrder(stalls)
      .filter(({ ownCpuMs }) => ownCpuMs > feltMs)
      .map((stall) => ({ story, ...stall })),
  );
  return [
    'Longest time for which our code held up the extension host, in milliseconds of the processor:',
    ...longest.map(({ story, worst }) =>
      `  ${story.padEnd(width)} ${String(worst?.ownCpuMs ?? 0).padStart(5)}  ${worst?.place ?? ''}`.trimEnd(),
    ),
    felt.length === 0 ? `None is above ${feltMs} ms.` : `${felt.length} above ${feltMs} ms:`,
    ...felt.flatMap(({ story, ownCpuMs, ms, stack }) => [
      `  ${story}: ${ownCpuMs} ms of ${ms} ms until the next turn`,
      ...stack.map((frame) => `      ${frame}`),
    ]),
  ];
}

/** @param {readonly OwnStall[]} stalls */
function inOrder(stalls) {
  return [...stalls].sort((one, other) => other.ownCpuMs - one.ownCpuMs);
}
