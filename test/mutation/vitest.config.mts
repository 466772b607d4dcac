import { defineConfig } from 'vitest/config';
import usual from '../vitest.config.mjs';

/** The rings as they are, each test run by the runner of mutants. */
export default defineConfig({
  test: {
    projects: (usual.test?.projects ?? []).map((project) => {
      if (typeof project !== 'object' || !('test' in project)) {
        throw new Error('A ring is not written as a project of its own.');
      }
      return {
        ...project,
        test: {
          ...project.test,
          setupFiles: [],
          runner: 'test/mutation/mutationRunner.ts',
          isolate: false,
          maxWorkers: 1,
          hookTimeout: 20_000,
        },
      };
    }),
  },
});
