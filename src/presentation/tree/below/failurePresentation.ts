import type { McpServerState } from '../../../mcp/mcpTypes.js';
import { stateText } from '../../../mcp/trouble/stateText.js';
import type { NodePresentation, TooltipPart } from '../presentation.js';

const shownInTooltip = 8;

/** What shows that a server failed; empty for the other states. */
export function failureParts(state: McpServerState): readonly TooltipPart[] {
  const { evidence } = stateText(state);
  return evidence.length === 0
    ? []
    : [{ kind: 'code', text: evidence.slice(-shownInTooltip).join('\n') }];
}

/** A line under a server that says something of its lists. */
export function presentDetail(text: string): NodePresentation {
  return {
    label: text,
    icon: 'info',
    tooltip: [{ kind: 'paragraph', text }],
    spoken: text,
    flags: 'detail',
    expansion: 'none',
  };
}
