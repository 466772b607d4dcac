import * as l10n from '@vscode/l10n';
import type { ToolFacts } from '../../agent/tools/toolOverview.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { PresentationContext } from './presentation.js';

/** How many tools of how many are on and in the profile; `undefined` without one, or while nothing is known of them. */
export function toolsInProfile(
  server: McpServer,
  { toolFacts, profileOf }: PresentationContext,
): string | undefined {
  const facts = profileOf?.(server.definition.folder?.uri) ? factsOfTools(server, toolFacts) : [];
  const inside = facts.filter(({ isOn, isOutOfProfile }) => isOn && !isOutOfProfile);
  return facts.length === 0
    ? undefined
    : l10n.t('{0}/{1} tools', inside.length, server.catalog.value.tools.length);
}

export function factsOfTools(
  server: McpServer,
  toolFacts: PresentationContext['toolFacts'],
): readonly ToolFacts[] {
  return server.catalog.value.tools.flatMap(({ name }) => toolFacts?.(server, name) ?? []);
}
