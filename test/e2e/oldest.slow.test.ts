/** Journeys of other files in the oldest VS Code that the manifest allows. The ring runs in the one that people have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runJourneys } from '../helpers/e2e/journeys.js';
import { repository, workbenchDir } from '../workbench/paths.mjs';

const journeys = ['test/e2e/toolsByHand.test.ts', 'test/e2e/agent.test.ts'];

it('installs there, asks for trust, connects, runs tools, shows traffic, and converses', async () => {
  const ran = await runJourneys(journeys, { env: { PI_MCP_VSCODE: 'oldest' } });
  expect(ran.length).toBeGreaterThan(20);
  expect(ran.filter(({ status }) => status === 'failed')).toEqual([]);
}, 1_200_000);

it('is what the manifest says', () => {
  const readVersion = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  const product = 'oldest/node_modules/code-server/lib/vscode/package.json';
  const { version } = readVersion(join(workbenchDir, product));
  expect(readVersion(join(repository, 'package.json')).engines.vscode).toBe(`^${version}`);
});
