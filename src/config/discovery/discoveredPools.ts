import * as l10n from '@vscode/l10n';
import { errorMessage } from '../../base/errors.js';
import type { Logger } from '../../platform/ports.js';
import type { PoolConfiguration } from '../configuration.js';
import type {
  ConfigProblem,
  FileProblem,
  McpPoolId,
  McpServerDefinition,
  WorkspaceFolder,
} from '../definition.js';
import { variableProblems } from '../launch/variableProblems.js';
import type { ConfigFileLocation } from '../parse/configLocations.js';
import { type MergeOptions, mergeConfig, type OuterOverride } from '../parse/mergeConfig.js';
import type { ConfigFileState } from './configFileStore.js';

/** The merged configuration of one folder, or of the user. */
export interface DiscoveredPool extends PoolConfiguration {
  readonly definitions: readonly McpServerDefinition[];
  /** Switches that this folder's files set on servers of the global pool; empty for the global pool. */
  readonly outerOverrides: readonly OuterOverride[];
}

/** Which files make up a pool, lowest precedence first. */
export interface PoolPlan {
  readonly poolId: McpPoolId;
  readonly folder: WorkspaceFolder | undefined;
  readonly locations: readonly ConfigFileLocation[];
}

export interface BuildOptions {
  /** What was published last. */
  readonly previous: readonly DiscoveredPool[];
  readonly logger: Logger;
  readonly isVariableSet: (name: string) => boolean;
}

/**
 * One pool for each plan. A pool that cannot be built stays as it was and says so; it takes no other one along.
 * @param states of the files of each plan, lowest precedence first
 */
export function buildPools(
  plans: readonly PoolPlan[],
  states: readonly (readonly ConfigFileState[])[],
  options: BuildOptions,
): readonly DiscoveredPool[] {
  const [globalPlan, ...folderPlans] = plans;
  if (!globalPlan) {
    return [];
  }
  const globalPool = tryBuildPool(globalPlan, states[0] ?? [], {}, options);
  const outer = {
    outerOrigins: new Map(globalPool.definitions.map(({ name, origin }) => [name, origin])),
    outerSettings: globalPool.settings,
  };
  const folderPools = folderPlans.map((plan, index) =>
    tryBuildPool(plan, states[index + 1] ?? [], outer, options),
  );
  return [globalPool, ...folderPools];
}

type Outer = Pick<MergeOptions, 'outerOrigins' | 'outerSettings'>;

function tryBuildPool(
  plan: PoolPlan,
  states: readonly ConfigFileState[],
  outer: Outer,
  { previous, logger, isVariableSet }: BuildOptions,
): DiscoveredPool {
  try {
    const pool = buildPool(plan, states, outer);
    const definitions = pool.definitions.map((one) => withVariableProblems(one, isVariableSet));
    return { ...pool, definitions };
  } catch (error) {
    logger.log('error', `The servers of ${plan.poolId} cannot be read: ${errorMessage(error)}`);
    const last = previous.find(({ id }) => id === plan.poolId) ?? buildPool(plan, [], {});
    return { ...last, fileProblems: [unusable(last.primaryFile)] };
  }
}

/** A server that is used anyway is told what it lacks before it is needed. */
function withVariableProblems(
  definition: McpServerDefinition,
  isVariableSet: BuildOptions['isVariableSet'],
): McpServerDefinition {
  const { launch, enabled, problems, name } = definition;
  const found = launch && enabled ? variableProblems(launch, isVariableSet) : [];
  const warnings = found.map(
    ({ code, field, message, remedy }): ConfigProblem => ({
      code,
      severity: 'warning',
      message,
      remedy,
      field,
      server: name,
    }),
  );
  return warnings.length > 0 ? { ...definition, problems: [...problems, ...warnings] } : definition;
}

function unusable(path: string): FileProblem {
  return {
    path,
    problem: {
      code: 'unusable',
      severity: 'error',
      message: l10n.t('The servers beside {0} cannot be read; those known before stay.', path),
      remedy: l10n.t('Undo the last change of the configuration, and see the log of Pi MCP.'),
    },
  };
}

function buildPool(
  plan: PoolPlan,
  states: readonly ConfigFileState[],
  outer: Outer,
): DiscoveredPool {
  const { poolId, folder, locations } = plan;
  const merged = mergeConfig(
    states.map((state) => state.parsed),
    { poolId, folder, ...outer },
  );
  return {
    id: poolId,
    folder,
    ...merged,
    fileProblems: states.flatMap(({ location, problems }) =>
      problems.map((problem) => ({ path: location.path, problem })),
    ),
    files: states.filter((state) => state.exists).map((state) => state.location.path),
    primaryFile: locations.find((item) => item.isPrimary)?.path ?? '',
  };
}
