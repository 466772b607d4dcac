/** Journeys of other files on a machine with no network: in a namespace that has nothing but loopback. */
import { execFileSync, spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { runJourneys } from '../helpers/e2e/journeys.js';

/** Who is not root may make one where the system lets users be root in it. */
const mapping = process.getuid?.() === 0 ? [] : ['--map-root-user'];
const offline = ['--net', ...mapping, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const canTry = spawnSync('unshare', [...offline, 'true']).status === 0;

const journeys = {
  'test/e2e/agent.test.ts': 'asks before it calls a tool of an MCP server, and shows the result',
  'test/e2e/toolsByHand.test.ts':
    'runs a tool from its row by the keyboard, and a result leads to its resources',
};

it.runIf(canTry)('has no way out there', () => {
  const script = `require('node:net').connect(443, '192.0.2.1').on('error', ({ code }) => console.log(code))`;
  const said = execFileSync('unshare', [...offline, process.execPath, '-e', script]);
  expect(said.toString().trim()).toBe('ENETUNREACH');
});

it.runIf(canTry)(
  'starts, connects, lists, runs a tool, and answers with a model of this machine',
  async () => {
    const ran = await runJourneys(Object.keys(journeys), {
      only: Object.values(journeys),
      under: ['unshare', ...offline],
    });
    expect(ran.map(({ title, status }) => [title, status]).sort()).toEqual(
      Object.values(journeys)
        .map((title) => [title, 'passed'])
        .sort(),
    );
  },
  600_000,
);
