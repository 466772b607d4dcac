/** The official client suites, scenario by scenario, against the product's core. There is no list of known failures. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildDriver,
  listScenarios,
  runScenario,
  type Scenario,
  type SuiteVersion,
  type Verdict,
} from '../helpers/conformance/suite.js';

const older = '2025-11-25';
const newer = '2026-07-28';
/** Checks of a handshake that the newer revision does not have, which the suite reports as skipped. */
const withoutHandshake: Readonly<Record<string, readonly string[]>> = {
  'http-standard-headers': [
    'ClientMcpMethodHeader_initialize',
    'ClientMcpMethodHeader_notifications_initialized',
  ],
};

const [stable, preview] = await Promise.all([listScenarios('0.1'), listScenarios('0.2')]);
/** Scenarios of both revisions run on the older wire unless told otherwise. */
const ofBoth = preview.filter(({ revisions }) =>
  [older, newer].every((r) => revisions.includes(r)),
);

let directory: string;
let command: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pi-mcp-driver-'));
  command = await buildDriver(directory);
});

afterAll(() => rm(directory, { recursive: true, force: true }));

it('finds the scenarios that the suites are known to have', () => {
  expect([stable.length, preview.length]).toEqual([26, 48]);
});

it.each([older, newer])('runs every client scenario that %s requires', async (revision) => {
  const required = (await listScenarios('0.2', revision)).map(({ name }) => name);
  const isRun = ({ revisions }: Scenario) =>
    revisions.includes(revision) || revisions.includes('extension');
  const run = names(preview.filter(isRun));
  expect(required.length).toBeGreaterThan(15);
  expect(required.filter((name) => !run.includes(name))).toEqual([]);
});

describe.concurrent('suite 0.1.16', () => {
  it.each(names(stable))('%s', (name) => expectPassed('0.1', name));
});

describe.concurrent('suite 0.2.0-alpha.12', () => {
  it.each(names(preview))('%s', (name) => expectPassed('0.2', name));
});

describe.concurrent(`suite 0.2.0-alpha.12 on the wire of ${newer}`, () => {
  it.each(names(ofBoth))('%s', (name) => expectPassed('0.2', name, newer));
});

function names(scenarios: readonly Scenario[]): readonly string[] {
  return scenarios.map(({ name }) => name);
}

async function expectPassed(
  version: SuiteVersion,
  name: string,
  specVersion?: string,
): Promise<void> {
  const verdict = await runScenario(version, name, {
    command,
    ...(specVersion === undefined ? {} : { specVersion }),
  });
  expect(shortcomings(name, verdict), verdict.output).toEqual([]);
}

function shortcomings(name: string, { exitCode, checks }: Verdict): readonly string[] {
  const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const allowed = withoutHandshake[name] ?? [];
  const skipped = checks.filter(
    (check) => check.status === 'SKIPPED' && !allowed.includes(check.name),
  );
  return [
    ...(exitCode === 0 ? [] : [`The suite ended with exit code ${exitCode}`]),
    ...(checks.some(({ status }) => status === 'SUCCESS') ? [] : ['No check succeeded']),
    ...[...failed, ...skipped].map(({ id, status }) => `${status} ${id}`),
  ];
}
