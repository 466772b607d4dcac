import { describe, expect, it } from 'vitest';
import { globalPoolId } from '../../../../src/config/definition.js';
import type { ConfigFileState } from '../../../../src/config/discovery/configFileStore.js';
import { buildPools, type PoolPlan } from '../../../../src/config/discovery/discoveredPools.js';
import { parseConfig } from '../../../../src/config/parse/parseConfig.js';
import { nullLogger } from '../../../../src/platform/ports.js';

const plan = (poolId: string): PoolPlan => ({
  poolId,
  folder: poolId === globalPoolId ? undefined : { uri: poolId, name: poolId, fsPath: `/${poolId}` },
  locations: [
    { layer: 'project', path: `/${poolId}/.mcp.json`, isForeignFile: false, isPrimary: true },
  ],
});
const plans = [plan(globalPoolId), plan('a'), plan('b')];

const state = (poolId: string, name: string): ConfigFileState => {
  const location = plan(poolId).locations[0] as ConfigFileState['location'];
  const text = JSON.stringify({ mcpServers: { [name]: { command: 'x' } } });
  const parsed = parseConfig(text, location);
  return { location, exists: true, parsed, problems: [] };
};

/** A file that was read, but in whose content is something that nobody thought of. */
const broken = (poolId: string): ConfigFileState => ({
  ...state(poolId, 'x'),
  get parsed(): never {
    throw new RangeError('nobody thought of this');
  },
});

const names = (pools: ReturnType<typeof buildPools>) =>
  pools.map(({ definitions }) => definitions.map(({ name }) => name));

describe('buildPools', () => {
  const options = { previous: [], logger: nullLogger };

  it.each([0, 1, 2])('leaves the other pools alone when pool %i cannot be built', (index) => {
    const good = plans.map(({ poolId }) => [state(poolId, `of ${poolId}`)]);
    const states = good.with(index, [broken(plans[index]?.poolId ?? '')]);
    const pools = buildPools(plans, states, options);
    expect(names(pools)).toEqual(
      plans.map(({ poolId }, at) => (at === index ? [] : [`of ${poolId}`])),
    );
    expect(pools[index]?.fileProblems).toMatchObject([
      { path: `/${plans[index]?.poolId}/.mcp.json`, problem: { code: 'unusable' } },
    ]);
  });

  it('keeps what such a pool held before', () => {
    const good = plans.map(({ poolId }) => [state(poolId, 'before')]);
    const previous = buildPools(plans, good, options);
    const states = [[state(globalPoolId, 'now')], [broken('a')], [state('b', 'now')]];
    const pools = buildPools(plans, states, { ...options, previous });
    expect(names(pools)).toEqual([['now'], ['before'], ['now']]);
  });
});
