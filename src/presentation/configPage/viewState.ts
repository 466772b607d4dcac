/** What the configuration editor shows of the domain's state. Plain Node; no `vscode`. */
import * as l10n from '@vscode/l10n';
import { isAdvice } from '../../config/definition.js';
import { usesAccount } from '../../mcp/accountUse.js';
import { iconOf } from '../../mcp/catalog/icons.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpServerState } from '../../mcp/mcpTypes.js';
import { isTrouble, launchKind } from '../../mcp/stateKinds.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import type {
  ConfigPoolView,
  ConfigServerView,
  ConfigViewState,
} from '../../protocol/configProtocol.js';
import { fileFaults } from '../tree/poolPresentation.js';
import {
  type PresentationContext,
  problemWithRemedy,
  serverProblems,
  toolCount,
} from '../tree/presentation.js';
import { launchText } from '../tree/tooltips/serverTooltip.js';
import { serverPlaces } from './places.js';

type ViewFacts = Pick<PresentationContext, 'problemsOf'>;

/** @param facts Default: of the entries only what their definitions say. */
export function configViewState(service: McpService, facts: ViewFacts = {}): ConfigViewState {
  return {
    pools: service.pools.map((pool) => poolView(pool, service, facts)),
    isWorkspaceTrusted: service.trust.isWorkspaceTrusted,
  };
}

function poolView(pool: McpPool, service: McpService, facts: ViewFacts): ConfigPoolView {
  const { trust } = service;
  return {
    id: pool.id,
    label: pool.folder?.name ?? l10n.t('User'),
    isGlobal: pool.folder === undefined,
    file: pool.primaryFile,
    places: serverPlaces(pool, service),
    hasFile: pool.files.includes(pool.primaryFile),
    isMasterDisabled: pool.isMasterDisabled,
    fileProblems: fileFaults(pool).map(({ path, problem }) => ({
      path,
      isError: problem.severity === 'error',
      message: problem.message,
      remedy: problem.remedy,
    })),
    trust: pool.folder && {
      kind: trust.folderTrust(pool.folder.uri).kind,
      pendingCount: pool.servers.filter(({ state }) => state.value.kind === 'trust_required')
        .length,
    },
    servers: pool.servers.map((server) => serverView(server, facts)),
  };
}

/** How a test went that went well. */
export function workingText(
  { connectMs }: Extract<McpServerState, { kind: 'connected' }>,
  { catalog }: Pick<McpServer, 'catalog'>,
): string {
  const tools = toolCount(catalog.value.tools.length);
  return l10n.t('The server works: {0}, connected in {1} s.', tools, (connectMs / 1000).toFixed(1));
}

function serverView(server: McpServer, facts: ViewFacts): ConfigServerView {
  const { id, definition, state, catalog } = server;
  // an entry that cannot be used says why as its state
  const problems = definition.launch ? serverProblems(server, facts) : [];
  const current = state.value;
  const { icon, reason, sentence, evidence, fix, nextTry } = stateText(current);
  return {
    id,
    name: definition.name,
    kind: launchKind(definition),
    state: current.kind,
    reason,
    icon,
    sentence,
    evidence,
    fix: fix && isTrouble(current) ? { title: fix.title, how: fix.how } : undefined,
    nextTry,
    isSignedOut: current.kind === 'needs_auth' && usesAccount(definition.launch),
    warnings: problems.filter((problem) => !isAdvice(problem)).map(problemWithRemedy),
    advice: problems.filter(isAdvice).map(problemWithRemedy),
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
