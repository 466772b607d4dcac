import * as l10n from '@vscode/l10n';
import type { ToolFacts } from '../../../agent/tools/toolOverview.js';
import { counted } from '../../../base/text/counted.js';
import { itemFlags } from '../../../contributions.js';
import { durationPercentile, errorCount } from '../../../mcp/catalog/records/statisticFigures.js';
import type { ToolStatistic } from '../../../mcp/catalog/records/toolStatistics.js';
import { toolTitle } from '../../../mcp/catalog/search/reading/toolText.js';
import type { McpServer } from '../../../mcp/mcpApi.js';
import type { McpTool } from '../../../mcp/mcpTypes.js';
import {
  firstLine,
  type NodePresentation,
  type PresentationContext,
  type TooltipPart,
} from '../presentation.js';
import { factsOfTools } from '../toolsInUse.js';
import { itemPicture } from './itemPicture.js';

export function presentTool(
  server: McpServer,
  tool: McpTool,
  context: PresentationContext,
): NodePresentation {
  const { annotations, description } = tool;
  const facts = context.toolFacts?.(server, tool.name);
  const title = toolTitle(tool);
  const claims = claimsOf(annotations);
  const states = [...(facts ? statesOf(facts) : []), ...appStates(tool)];
  const isQuarantined = (facts?.problem ?? facts?.refusal) !== undefined;
  return {
    label: tool.name,
    description: [...states, firstLine(description ?? title)].filter(Boolean).join(' · '),
    icon: isQuarantined ? 'warning' : annotations?.readOnlyHint === true ? 'eye' : 'wrench',
    ...(isQuarantined ? { color: 'list.warningForeground' } : itemPicture(tool)),
    tooltip: [
      { kind: 'title', text: title ?? tool.name },
      ...(facts ? factParts(facts) : []),
      ...(description ? [paragraph(description)] : []),
      ...(claims.length > 0 ? [paragraph(l10n.t('The server says: {0}', claims.join(', ')))] : []),
      ...parameterParts(tool.inputSchema),
      ...(facts?.statistic ? [paragraph(statisticText(facts.statistic))] : []),
    ],
    spoken: [tool.name, l10n.t('tool'), ...states, ...claims, firstLine(description) ?? '']
      .filter((part) => part !== '')
      .join(', '),
    flags: [
      itemFlags.tool,
      ...(facts && facts.allowed.length > 0 ? [itemFlags.allowedAlways] : []),
    ].join(' '),
    expansion: 'none',
    isChecked: facts ? facts.isOn && facts.refusal === undefined : undefined,
  };
}

export interface ServerToolCost {
  /** Tokens of all tools that a model can get. */
  readonly all: number;
  /** Tokens of those that stand in every request. */
  readonly standing: number;
}

/** What the tools of a server cost a model; `undefined` while tokens cannot be counted or there are no tools. */
export function toolCost(
  server: McpServer,
  { toolFacts }: PresentationContext,
): ServerToolCost | undefined {
  const facts = factsOfTools(server, toolFacts);
  return facts.length === 0
    ? undefined
    : {
        all: tokensOf(facts.filter(({ exposure }) => exposure !== 'hidden')),
        standing: tokensOf(facts.filter(({ exposure }) => exposure === 'direct')),
      };
}

/** Tokens of all tools that a model could get if the profile left none out. */
export function tokensWithoutProfile(
  server: McpServer,
  { toolFacts }: PresentationContext,
): number {
  return tokensOf(
    factsOfTools(server, toolFacts).filter(
      ({ exposure, isOn, isOutOfProfile, problem }) =>
        exposure !== 'hidden' || (isOn && isOutOfProfile && problem === undefined),
    ),
  );
}

function tokensOf(facts: readonly ToolFacts[]): number {
  return facts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Calls, errors, latency and size in one sentence. */
export function statisticText(statistic: ToolStatistic): string {
  const { calls, bytes, tokens } = statistic;
  return l10n.t(
    '{0}, {1} failed, median {2} ms, 95 % within {3} ms, {4} bytes, {5} tokens',
    counted(l10n.t('1 call|{0} calls'), calls),
    errorCount(statistic),
    durationPercentile(statistic, 50) ?? 0,
    durationPercentile(statistic, 95) ?? 0,
    bytes,
    tokens,
  );
}

export function claimsOf(annotations: McpTool['annotations']): readonly string[] {
  return [
    ...(annotations?.readOnlyHint === true ? [l10n.t('read-only')] : []),
    ...(annotations?.readOnlyHint !== true && annotations?.destructiveHint === true
      ? [l10n.t('destructive')]
      : []),
    ...(annotations?.openWorldHint === true ? [l10n.t('open world')] : []),
  ];
}

/** What deserves a word beside the name; the usual goes without saying. */
export function statesOf({
  problem,
  refusal,
  isOn,
  isOutOfProfile,
  offIn,
  allowed,
}: ToolFacts): readonly string[] {
  return [
    ...(problem !== undefined ? [l10n.t('kept from the model')] : []),
    ...(refusal !== undefined ? [l10n.t('set aside, refused by the provider')] : []),
    ...(isOn ? [] : [l10n.t('off')]),
    ...(isOn && isOutOfProfile ? [l10n.t('not in the profile')] : []),
    ...(isOn && offIn.length > 0 ? [l10n.t('off in {0}', offIn.join(', '))] : []),
    ...(allowed.length > 0 ? [l10n.t('runs without asking')] : []),
  ];
}

/** How the tool takes part in an app. */
function appStates({ ui }: McpTool): readonly string[] {
  const isForModel = ui?.visibility?.includes('model') ?? true;
  return [
    ...(isForModel ? [] : [l10n.t('for its app only')]),
    ...(isForModel && ui?.resourceUri !== undefined ? [l10n.t('has an app')] : []),
  ];
}

function factParts(facts: ToolFacts): readonly TooltipPart[] {
  const { modelName, tokens, problem, refusal } = facts;
  return [
    { kind: 'code', text: modelName },
    ...(problem !== undefined ? [paragraph(problem)] : []),
    ...(refusal !== undefined
      ? [
          paragraph(
            l10n.t(
              'A conversation goes on without it; check the box to offer it again. The provider said: {0}',
              refusal,
            ),
          ),
        ]
      : []),
    paragraph(l10n.t('{0}; {1} tokens', exposureText(facts), tokens)),
  ];
}

function exposureText({ exposure }: ToolFacts): string {
  switch (exposure) {
    case 'direct':
      return l10n.t('Offered to the model in every request');
    case 'search':
      return l10n.t('Found by the model through ToolSearch');
    case 'proxy':
      return l10n.t('Called by the model through the tool mcp');
    case 'hidden':
      return l10n.t('Hidden from the model');
  }
}

function parameterParts(schema: { readonly [key: string]: unknown }): readonly TooltipPart[] {
  const properties = schema.properties;
  const names =
    typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  if (names.length === 0) {
    return [];
  }
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const listed = names.map((name) => (required.has(name) ? name : `${name}?`)).join(', ');
  return [paragraph(l10n.t('Parameters: {0}', listed))];
}

function paragraph(text: string): TooltipPart {
  return { kind: 'paragraph', text };
}
