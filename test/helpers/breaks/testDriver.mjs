// @ts-check
/** Keeps one vitest for many runs of single files, while the sources change; told what to run by its parent. */
import { resolve } from 'node:path';
import { createVitest } from 'vitest/node';

/**
 * @typedef {object} DriverRequest
 * @property {readonly string[]} changed files, since the last request
 * @property {string} ring
 * @property {readonly string[]} files
 * @property {string | undefined} pattern of titles; default: all
 */

const [, , config] = process.argv;
const vitest = await createVitest({
  config,
  watch: false,
  bail: 1,
  maxWorkers: 1,
  // nothing is shown
  reporters: [{}],
});
await vitest.standalone();

process.on('message', async (/** @type {DriverRequest} */ { changed, ring, files, pattern }) => {
  for (const path of changed) {
    vitest.invalidateFile(resolve(path));
  }
  if (pattern === undefined) {
    vitest.resetGlobalTestNamePattern();
  } else {
    vitest.setGlobalTestNamePattern(new RegExp(pattern));
  }
  const project = vitest.getProjectByName(ring);
  const paths = files.map((file) => resolve(file));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    paths.map((path) => project.createSpecification(path)),
  );
  vitest.state.clearFiles(project, paths);
  const isGreen = unhandledErrors.length === 0 && testModules.every((module) => module.ok());
  process.send?.({ isGreen });
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
