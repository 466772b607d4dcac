/** What the configuration editor shows of the domain's state. Plain Node; no `vscode`. */
import * as l10n from '@vscode/l10n';
import { isAdvice, type McpServerDefinition } from '../../config/definition.js';
import { iconOf } from '../../mcp/catalog/icons.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import { usesAccount } from '../../mcp/oauth/authorizations.js';
import { launchKind, stateText } from '../../mcp/stateText.js';
import type {
  ConfigPoolView,
  ConfigServerView,
  ConfigViewState,
} from '../../protocol/configProtocol.js';
import { fileFaults } from '../tree/poolPresentation.js';
import { launchText } from '../tree/presentation.js';

export function configViewState(service: McpService): ConfigViewState {
  return {
    pools: service.pools.map((pool) => poolView(pool, service)),
    isWorkspaceTrusted: service.trust.isWorkspaceTrusted,
  };
}

function poolView(pool: McpPool, { trust }: McpService): ConfigPoolView {
  return {
    id: pool.id,
    label: pool.folder?.name ?? l10n.t('Global'),
    isGlobal: pool.folder === undefined,
    file: pool.primaryFile,
    hasFile: pool.files.includes(pool.primaryFile),
    isMasterDisabled: pool.isMasterDisabled,
    fileProblems: fileFaults(pool).map(({ path, problem }) => ({
      path,
      isError: problem.severity === 'error',
      message: problem.message,
      remedy: problem.remedy,
    })),
    ...(pool.folder
      ? {
          trust: {
            kind: trust.folderTrust(pool.folder.uri).kind,
            pendingCount: pool.servers.filter(({ state }) => state.value.kind === 'trust_required')
              .length,
          },
        }
      : {}),
    servers: pool.servers.map(serverView),
  };
}

function serverView({ id, definition, state, catalog }: McpServer): ConfigServerView {
  const current = state.value;
  const { word, sentence, remedy, icon } = stateText(current);
  const failure =
    current.kind === 'error' || current.kind === 'needs_auth' ? current.failure : undefined;
  return {
    id,
    name: definition.name,
    kind: launchKind(definition),
    state: current.kind,
    stateWord: word,
    icon,
    stateText: sentence,
    remedy,
    ...(failure ? { stderrTail: failure.stderrTail } : {}),
    isSignedOut: current.kind === 'needs_auth' && usesAccount(definition.launch),
    warnings: warnings(definition),
    summary: launchText(definition) ?? '',
    enabled: definition.enabled,
    source: definition.origin.path,
    ...pictureOf(catalog.value.serverInfo),
    tools: catalog.value.tools.map((tool) => ({
      name: tool.name,
      description: tool.description ?? tool.title,
      ...pictureOf(tool),
    })),
  };
}

function pictureOf(item: Parameters<typeof iconOf>[0]): Pick<ConfigServerView, 'picture'> {
  const icon = iconOf(item);
  return icon ? { picture: icon } : {};
}

function warnings({ problems, launch }: McpServerDefinition): readonly string[] {
  return problems
    .filter((problem) => launch !== undefined && !isAdvice(problem))
    .map(({ message, remedy }) => `${message} ${remedy}`);
}
