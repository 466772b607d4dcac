import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

// what a test polls for is an event that a busy machine brings late; the default is a second
const patient = { poll: { timeout: 20_000 } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          root: '.',
          include: ['test/unit/**/*.test.ts'],
          // to load the sources anew for every file takes longer than all tests; none of them changes what others see
          isolate: false,
        },
      },
      {
        test: {
          name: 'integration',
          root: '.',
          include: ['test/integration/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'faults',
          root: '.',
          include: ['test/integration/faults/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'attacks',
          root: '.',
          include: ['test/attacks/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'conformance',
          root: '.',
          include: ['test/conformance/**/*.test.ts'],
          // each scenario is two processes, and one of them measures pauses
          maxConcurrency: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // it runs in Cloudflare's workers, and is code like ours here
        resolve: {
          alias: { 'cloudflare:workers': resolve('test/helpers/accounts/cloudflareWorkers.ts') },
        },
        test: {
          name: 'accounts',
          root: '.',
          include: ['test/accounts/*.test.ts'],
          server: { deps: { inline: ['@cloudflare/workers-oauth-provider'] } },
          globalSetup: ['test/helpers/accounts/betterAuthPackages.mts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          root: '.',
          include: ['test/e2e/**/*.test.ts'],
          // each file has a VS Code and a browser of its own, which fill a small machine
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 600_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'screenshots',
          root: '.',
          include: ['test/e2e/screenshots.ts'],
          testTimeout: 120_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
