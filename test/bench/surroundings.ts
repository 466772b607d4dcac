import type { LintSurroundings } from '../../src/config/lint/lintTypes.js';

/** In which nothing of an entry is wrong, and nothing is looked up. */
export const surroundings: LintSurroundings = {
  isVariableSet: () => true,
  findCommand: async () => ({ isFound: true, searchedCount: 1 }),
  findRoot: async (path) => ({ kind: 'given', path }),
  isDirectory: async () => true,
  isIgnoredByGit: async () => false,
  usesClient: () => false,
  cwdOf: () => '/work',
};
