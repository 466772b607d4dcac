import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { windowsPart } from './helpers/windows/windowsRing.mjs';
import { rings } from './ringTable.mjs';

// what a test polls for is an event that a busy machine brings late; the default is a second
const patient = { poll: { timeout: 60_000 } };
/** Milliseconds for a test and for a hook, which only one that hangs needs: a busy machine is no failure. */
const limits = { testTimeout: 180_000, hookTimeout: 180_000, expect: patient };

/** Of two processors vitest would leave one alone, and most rings wait for processes more than they compute. */
const maxWorkers = Math.max(2, availableParallelism());
/** Of rings whose tests wait for processes, so that no processor is free while they do. */
const waitingWorkers = maxWorkers + 1;
/** One worker loads the sources once for all of its files: what a test has replaced is put back for the next one. */
const shared = { maxWorkers: waitingWorkers, isolate: false, restoreMocks: true };

/** Notes what each file takes. */
const setupFiles = ['test/helpers/fileCosts.ts'];

const users = 'test/helpers/e2e/sharedUsers.mts';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          root: '.',
          setupFiles,
          include: [rings.unit.files],
          maxWorkers,
          ...limits,
          // to load the sources anew for every file takes longer than all tests; none of them changes what others see
          isolate: false,
        },
      },
      {
        test: {
          name: 'pages',
          root: '.',
          setupFiles,
          include: [rings.pages.files],
          maxWorkers,
          globalSetup: ['test/helpers/pages/globalSetup.mts'],
          ...limits,
          isolate: false,
        },
      },
      {
        test: {
          name: 'integration',
          root: '.',
          setupFiles,
          ...(process.platform === 'win32' ? windowsPart : { include: [rings.integration.files] }),
          // as `shared`, but with sources of its own for each file: else a session of a gateway was missing, once in three whole runs
          maxWorkers: waitingWorkers,
          ...limits,
        },
      },
      {
        test: {
          name: 'faults',
          root: '.',
          setupFiles,
          include: [rings.faults.files],
          ...shared,
          ...limits,
        },
      },
      {
        test: {
          name: 'attacks',
          root: '.',
          setupFiles,
          include: [rings.attacks.files],
          ...shared,
          ...limits,
        },
      },
      {
        test: {
          name: 'conformance',
          root: '.',
          setupFiles,
          include: [rings.conformance.files],
          // each scenario is two processes, and one of them measures pauses
          maxConcurrency: 2,
          ...limits,
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
          setupFiles,
          include: [rings.accounts.files],
          maxWorkers,
          server: { deps: { inline: ['@cloudflare/workers-oauth-provider'] } },
          globalSetup: ['test/helpers/accounts/betterAuthPackages.mts'],
          ...limits,
        },
      },
      {
        test: {
          name: 'e2e',
          root: '.',
          setupFiles,
          include: [rings.e2e.files],
          globalSetup: [users],
          // each has a VS Code and a browser, and more than two fill any machine
          maxWorkers: 2,
          testTimeout: 240_000,
          hookTimeout: 600_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'windows',
          root: '.',
          setupFiles,
          include: [rings.windows.files],
          globalSetup: ['test/helpers/windows/globalSetup.mts'],
          // one registry, which one server keeps
          maxWorkers: 1,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'host',
          root: '.',
          setupFiles,
          include: [rings.host.files],
          // what is measured has the machine alone
          maxWorkers: 1,
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 600_000,
          expect: patient,
        },
      },
      {
        test: {
          name: 'screenshots',
          root: '.',
          setupFiles,
          include: [rings.screenshots.files],
          globalSetup: [users],
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
