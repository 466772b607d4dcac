/** What stands above a server in its configuration file. */
import * as l10n from '@vscode/l10n';
import type { ParsedEntry } from '../../config/parse/configTypes.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { McpServerState } from '../../mcp/mcpTypes.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import { toolCount } from '../tree/presentation.js';

export type LensAction =
  | 'reveal'
  | 'restart'
  /** Does what the state asks for. */
  | 'fix'
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
  const { fix } = stateText(state);
  if (!fix) {
    return { title: l10n.t('Pi: Restart'), action: 'restart' };
  }
  // the place is under the lens
  return fix.kind === 'openLine'
    ? undefined
    : { title: l10n.t('Pi: {0}', fix.title), action: 'fix' };
}

function stateTitle(server: McpServer): string {
  const tools = server.catalog.value.tools.length;
  const word = stateText(server.state.value).reason;
  return l10n.t('Pi: {0}', tools === 0 ? word : `${word}, ${toolCount(tools)}`);
}
