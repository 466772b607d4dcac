/** What stands above a server in its configuration file. */
import * as l10n from '@vscode/l10n';
import type { ParsedEntry } from '../../config/parse/configTypes.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { McpServerState } from '../../mcp/mcpTypes.js';
import { stateText } from '../../mcp/stateText.js';

export type LensAction =
  | 'reveal'
  | 'start'
  | 'stop'
  | 'restart'
  | 'signIn'
  | 'review'
  | 'manageWorkspaceTrust'
  | 'enable'
  /** Opens the file whose entry is used instead of this one. */
  | 'openWinner';

export interface ServerLens {
  /** Starts with *Pi*: VS Code has lenses of its own on the same line. */
  readonly title: string;
  readonly action: LensAction;
}

/**
 * The state, which leads to everything else, and the next step, so that what the user writes stays in sight.
 * @param path the file in which the entry stands.
 */
export function serverLenses(
  server: McpServer,
  entry: Pick<ParsedEntry, 'kind'>,
  path: string,
): readonly ServerLens[] {
  const { definition } = server;
  if (entry.kind !== 'overrides' && definition.origin.path !== path) {
    const title = l10n.t('Pi: {0} is used instead', definition.origin.path);
    return [{ title, action: 'openWinner' }];
  }
  const step = nextStep(server.state.value);
  return [{ title: stateTitle(server), action: 'reveal' }, ...(step ? [step] : [])];
}

function nextStep(state: McpServerState): ServerLens | undefined {
  switch (stateText(state).action) {
    case 'enable':
      // the switch of the whole file is not this server's
      return state.kind === 'disabled' && state.by === 'server'
        ? { title: l10n.t('Pi: Enable'), action: 'enable' }
        : undefined;
    case 'openFile':
      return undefined;
    case 'trust':
      return { title: l10n.t('Pi: Review'), action: 'review' };
    case 'manageWorkspaceTrust':
      return { title: l10n.t('Pi: Manage Workspace Trust'), action: 'manageWorkspaceTrust' };
    case 'signIn':
      return { title: l10n.t('Pi: Sign In'), action: 'signIn' };
    case 'probe':
    case 'showLog':
      return { title: l10n.t('Pi: Start'), action: 'start' };
    case 'stop':
      return state.kind === 'connecting'
        ? { title: l10n.t('Pi: Stop'), action: 'stop' }
        : { title: l10n.t('Pi: Restart'), action: 'restart' };
  }
}

function stateTitle(server: McpServer): string {
  const tools = server.catalog.value.tools.length;
  const word = stateText(server.state.value).word;
  if (tools === 0) {
    return l10n.t('Pi: {0}', word);
  }
  return tools === 1 ? l10n.t('Pi: {0}, 1 tool', word) : l10n.t('Pi: {0}, {1} tools', word, tools);
}
