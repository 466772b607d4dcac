import type { McpToolAnnotations } from '../../mcp/mcpTypes.js';

type ApprovalVerdict = 'allowed' | 'asked' | 'refused';

/** In the setting: every client that it does not name. */
const others = '*';

/**
 * How a client's call is approved: by `ask`, which is the default, by the person at the window, whatever the server
 * claims of the tool; by `clientDecides` by nobody here; by `readOnlyOnly`, with which the user takes the claims of
 * servers for true, what only reads runs, and everything else is refused unasked.
 * @param setting these by the names that clients give themselves, as the user wrote them; what is not known counts as `ask`
 */
export function judgeLentCall(
  setting: Readonly<Record<string, unknown>>,
  clientName: string,
  annotations: McpToolAnnotations | undefined,
): ApprovalVerdict {
  const approval = Object.hasOwn(setting, clientName) ? setting[clientName] : setting[others];
  switch (approval) {
    case 'clientDecides':
      return 'allowed';
    case 'readOnlyOnly':
      return annotations?.readOnlyHint === true ? 'allowed' : 'refused';
    default:
      return 'asked';
  }
}
