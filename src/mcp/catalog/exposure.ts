/** Decides how each tool reaches the model. */
import type { McpServerOptions, ToolExposure } from '../../config/definition.js';
import { overrideFor } from '../../config/toolOverrides.js';
import { plainToolNames } from './toolNames.js';

export type SettledExposure = Exclude<ToolExposure, 'auto'>;

export interface ExposureSubject {
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  /** What the model calls. */
  readonly name: string;
  readonly options: Pick<
    McpServerOptions,
    'exposure' | 'directTools' | 'includeTools' | 'excludeTools' | 'toolOverrides'
  >;
}

export interface ExposureRules {
  /** Value of `MCP_DIRECT_TOOLS`, which goes before the files when it is set. */
  readonly directTools: string | undefined;
  /** The setting `disableProxyTool`: what would go through the gateway is found by search. */
  readonly isProxyDisabled?: boolean;
  /** The user's own switch for a tool. */
  readonly isOn: (server: string, tool: string) => boolean;
}

/** What files, environment and user ask for; `auto` leaves it to the token budget. */
export function requestedExposure(subject: ExposureSubject, rules: ExposureRules): ToolExposure {
  const requested = ruleOf(subject, rules);
  return requested === 'proxy' && rules.isProxyDisabled ? 'search' : requested;
}

function ruleOf(subject: ExposureSubject, rules: ExposureRules): ToolExposure {
  const { exposure = 'auto', directTools, includeTools, excludeTools } = subject.options;
  const override = overrideFor(subject.options.toolOverrides, subject.tool);
  const isNamed = (names: readonly string[]) =>
    names.length > 0 &&
    [subject.tool, subject.name, ...plainToolNames(subject.server, subject.tool)].some((name) =>
      names.includes(name),
    );
  if (
    exposure === 'hidden' ||
    override?.hidden ||
    (includeTools && !isNamed(includeTools)) ||
    (excludeTools && isNamed(excludeTools)) ||
    !rules.isOn(subject.server, subject.tool)
  ) {
    return 'hidden';
  }
  const deferred = exposure === 'proxy' ? 'proxy' : 'search';
  if (rules.directTools !== undefined && rules.directTools.trim() !== '') {
    return namesDirectly(rules.directTools, subject) ? 'direct' : deferred;
  }
  if (directTools === true || (Array.isArray(directTools) && isNamed(directTools))) {
    return 'direct';
  }
  return directTools === undefined || exposure !== 'auto' ? exposure : deferred;
}

/** `*`, `server`, `server/*` and `server/tool`, separated by commas; `__none__` names none. */
function namesDirectly(list: string, { server, tool, name }: ExposureSubject): boolean {
  const names = list.split(',').map((item) => item.trim());
  const accepted = ['*', server, `${server}/*`, `${server}/${tool}`, name];
  return !names.includes('__none__') && names.some((item) => accepted.includes(item));
}

export interface BudgetedTool {
  readonly requested: ToolExposure;
  /** Counted only when it matters. */
  readonly tokens: () => number;
}

/** `auto` is direct while everything that is direct fits the budget together, else found by search. */
export function settleExposure(
  tools: readonly BudgetedTool[],
  budget: number,
): readonly SettledExposure[] {
  const settled = fits(tools, budget) ? 'direct' : 'search';
  return tools.map(({ requested }) => (requested === 'auto' ? settled : requested));
}

function fits(tools: readonly BudgetedTool[], budget: number): boolean {
  for (const total of tokenSums(tools, budget)) {
    if (total > budget) {
      return false;
    }
  }
  return true;
}

/**
 * What {@link settleExposure} counts, a tool a step: tokens of what is direct if all that is `auto` becomes so. Ends with
 * the first sum above the budget, and counts nothing where no tool is `auto`.
 */
export function* tokenSums(tools: readonly BudgetedTool[], budget: number): Generator<number> {
  if (!tools.some(({ requested }) => requested === 'auto')) {
    return;
  }
  let total = 0;
  for (const { requested, tokens } of tools) {
    if (total > budget) {
      return;
    }
    if (requested === 'auto' || requested === 'direct') {
      total += tokens();
      yield total;
    }
  }
}
