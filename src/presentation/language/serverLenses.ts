/** What stands above a server in its configuration file. */
import * as l10n from '@vscode/l10n';
import type { ParsedEntry } from '../../config/parse/configTypes.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import { stateWord } from '../../mcp/stateText.js';

export type LensAction =
  | 'reveal'
  | 'probe'
  | 'review'
  | 'manageWorkspaceTrust'
  | 'showLog'
  | 'enable'
  | 'disable'
  /** Opens the file whose entry is used instead of this one. */
  | 'openWinner';

export interface ServerLens {
  /** Starts with *Pi*: VS Code has lenses of its own on the same line. */
  readonly title: string;
  readonly action: LensAction;
}

/** @param path the file in which the entry stands. */
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
  const state = server.state.value;
  const lenses: ServerLens[] = [{ title: stateTitle(server), action: 'reveal' }];
  switch (state.kind) {
    case 'disabled':
      return state.by === 'server'
        ? [...lenses, { title: l10n.t('Pi: Enable'), action: 'enable' }]
        : lenses;
    case 'invalid':
      return lenses;
    case 'trust_required':
      lenses.push(
        state.reason.kind === 'workspace_untrusted'
          ? { title: l10n.t('Pi: Manage Workspace Trust'), action: 'manageWorkspaceTrust' }
          : { title: l10n.t('Pi: Review…'), action: 'review' },
      );
      break;
    default:
      lenses.push({ title: l10n.t('Pi: Probe'), action: 'probe' });
      lenses.push({ title: l10n.t('Pi: Show Log'), action: 'showLog' });
  }
  return [...lenses, { title: l10n.t('Pi: Disable'), action: 'disable' }];
}

function stateTitle(server: McpServer): string {
  const tools = server.catalog.value.tools.length;
  const word = stateWord(server.state.value);
  if (tools === 0) {
    return l10n.t('Pi: {0}', word);
  }
  return tools === 1 ? l10n.t('Pi: {0}, 1 tool', word) : l10n.t('Pi: {0}, {1} tools', word, tools);
}
