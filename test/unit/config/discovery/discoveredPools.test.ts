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

const state = (poolId: string, name: string, entry: object = { command: 'x' }): ConfigFileState => {
  const location = plan(poolId).locations[0] as ConfigFileState['location'];
  const text = JSON.stringify({ mcpServers: { [name]: entry } });
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
  const options = { previous: [], logger: nullLogger, isVariableSet: () => true };

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

  it('tells servers that are on which variables they lack', () => {
    const env = { KEY: '${API_KEY}', HOST: '${HOST:-h}', SET: '${SET}', LATER: '${input:k}' };
    const states = [
      [state(globalPoolId, 'on', { command: 'x', args: ['$API_KEY'], env })],
      [state('a', 'off', { command: 'x', env, enabled: false })],
      [state('b', 'remote', { url: 'https://e.com', bearerTokenEnv: 'TOKEN' })],
    ];
    const isVariableSet = (name: string) => name === 'SET';
    const [user, a, b] = buildPools(plans, states, { ...options, isVariableSet });
    const found = user?.definitions[0]?.problems.map(({ code, field }) => [code, field]);
    expect(found).toEqual([
      ['shell-variable', 'args[0]'],
      ['unknown-variable', 'env.KEY'],
    ]);
    expect(a?.definitions[0]?.problems).toEqual([]);
    const [problem] = b?.definitions[0]?.problems ?? [];
    expect(problem).toMatchObject({ code: 'unknown-variable', field: 'bearerTokenEnv' });
    expect(problem?.remedy).toMatch(/\$\{input:token\}.*before.*\$\{TOKEN:-…\}/);
  });
});
