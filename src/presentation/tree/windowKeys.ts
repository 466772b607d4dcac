/** What commands and menus ask of the servers of a window. For plain Node. */
import { contextKeys } from '../../contributions.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { awaitsReview, isRunning } from '../../mcp/stateKinds.js';
import type { PresentationContext } from './presentation.js';
import { maySignIn } from './serverPresentation.js';

export type ContextKey = (typeof contextKeys)[keyof typeof contextKeys];

/** Values of context keys. @param context what rows know of servers */
export function windowKeys(
  { servers }: Pick<McpService, 'servers'>,
  context: Pick<PresentationContext, 'storedAccount' | 'openQuestion'>,
): Readonly<{ [key in ContextKey]?: boolean }> {
  return {
    [contextKeys.isLoaded]: true,
    [contextKeys.hasServers]: servers.length > 0,
    [contextKeys.hasRunning]: servers.some(({ state }) => isRunning(state.value)),
    [contextKeys.awaitsReview]: servers.some(awaitsReview),
    [contextKeys.canSignIn]: servers.some((server) => maySignIn(server, context)),
    [contextKeys.hasResources]: servers.some(
      ({ catalog: { value } }) => value.resources.length + value.resourceTemplates.length > 0,
    ),
    [contextKeys.hasPrompts]: servers.some(({ catalog }) => catalog.value.prompts.length > 0),
    [contextKeys.hasQuestion]: servers.some(
      (server) => context.openQuestion?.(server) !== undefined,
    ),
  };
}
