import * as l10n from '@vscode/l10n';
import type { ToolFacts } from '../../agent/tools/toolOverview.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { PresentationContext } from './presentation.js';

/** How many tools of how many are on and in the profile; `undefined`: all are, or nothing is known of them. */
export function toolsInUse(
  server: McpServer,
  { toolFacts }: PresentationContext,
): string | undefined {
  const facts = factsOfTools(server, toolFacts);
  const used = facts.filter(({ isOn, isOutOfProfile }) => isOn && !isOutOfProfile);
  return used.length === facts.length
    ? undefined
    : l10n.t('{0}/{1} tools', used.length, server.catalog.value.tools.length);
}

export function factsOfTools(
  server: McpServer,
  toolFacts: PresentationContext['toolFacts'],
): readonly ToolFacts[] {
  return server.catalog.value.tools.flatMap(({ name }) => toolFacts?.(server, name) ?? []);
}
