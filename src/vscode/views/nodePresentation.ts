/**
 * What each node shows, as data. Runs in plain Node, hence `@vscode/l10n` rather than `vscode.l10n`; both read the same
 * bundle. Text that a server sent is kept apart from ours: see {@link TooltipPart}.
 */
import * as l10n from '@vscode/l10n';
import { type CommandId, commandIds, itemFlags } from '../../contributions.js';
import { commandLine } from '../../mcp/commandLine.js';
import type { FolderTrust, McpPool, McpServer } from '../../mcp/mcpApi.js';
import type { McpServerDefinition, McpServerState } from '../../mcp/mcpTypes.js';
import { stateIcon, stateRemedy, stateSentence, stateWord } from '../../mcp/stateText.js';
import {
  type DetailNode,
  type GroupKind,
  type GroupNode,
  groupSize,
  type PoolNode,
  type ProblemNode,
  type PromptNode,
  type ResourceNode,
  resourceKey,
  type ServerNode,
  type ToolNode,
  type TreeNode,
} from './nodes.js';

/** `text` is shown literally, whatever markup it holds. */
export type TooltipPart =
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly language?: string };

export interface NodePresentation {
  readonly label: string;
  readonly description?: string;
  readonly icon: string;
  /** Id of a theme colour. */
  readonly color?: string;
  readonly tooltip: readonly TooltipPart[];
  /** The whole node in words, for screen readers. */
  readonly spoken: string;
  /** Space-joined {@link itemFlags}. */
  readonly flags: string;
  readonly expansion: 'none' | 'collapsed' | 'expanded';
  /** Runs with the node as its argument when the node is clicked. */
  readonly command?: { readonly id: CommandId; readonly title: string };
}

/** Facts a node does not carry itself. */
export interface PresentationContext {
  readonly isWorkspaceTrusted: boolean;
  folderTrust(folderUri: string): FolderTrust;
}

export function presentNode(node: TreeNode, context: PresentationContext): NodePresentation {
  switch (node.kind) {
    case 'pool':
      return presentPool(node, context);
    case 'server':
      return presentServer(node, context);
    case 'group':
      return presentGroup(node);
    case 'tool':
      return presentTool(node);
    case 'resource':
      return presentResource(node);
    case 'prompt':
      return presentPrompt(node);
    case 'problem':
      return presentProblem(node);
    case 'detail':
      return presentDetail(node);
  }
}

export function poolLabel(pool: McpPool): string {
  return pool.folder ? pool.folder.name : l10n.t('Global');
}

/** Command line or address of a server as its file writes it. */
export function launchText(definition: McpServerDefinition): string | undefined {
  const { launch } = definition;
  if (!launch) {
    return undefined;
  }
  return launch.kind === 'stdio' ? commandLine([launch.command, ...launch.args]) : launch.url;
}

function presentPool({ pool }: PoolNode, context: PresentationContext): NodePresentation {
  const trust = pool.folder && context.folderTrust(pool.folder.uri);
  const awaiting = pool.servers.filter(awaitsConsent).length;
  const facts = [
    serverCount(pool.servers.length),
    ...(pool.isMasterDisabled ? [l10n.t('switched off')] : []),
    ...(pool.folder && !context.isWorkspaceTrusted ? [l10n.t('Restricted Mode')] : []),
    ...(awaiting > 0 ? [l10n.t('{0} to review', awaiting)] : []),
    ...(trust?.kind === 'folder' ? [l10n.t('trusted')] : []),
    ...(pool.fileProblems.length > 0 ? [l10n.t('file problem')] : []),
  ];
  const label = poolLabel(pool);
  return {
    label,
    description: facts.join(' · '),
    icon: pool.folder ? 'root-folder' : 'globe',
    tooltip: [
      { kind: 'title', text: label },
      ...(trust ? [{ kind: 'paragraph', text: folderTrustText(trust) } as const] : []),
      ...pool.files.map((path) => ({ kind: 'code', text: path }) as const),
      ...(pool.files.length === 0
        ? [{ kind: 'paragraph', text: l10n.t('No configuration file yet.') } as const]
        : []),
    ],
    spoken: [label, ...facts].join(', '),
    flags: [
      itemFlags.pool,
      ...(trust && trust.kind !== 'none' ? [itemFlags.hasConsent] : []),
      ...(awaiting > 0 ? [itemFlags.awaitsConsent] : []),
      ...(pool.folder && !context.isWorkspaceTrusted ? [itemFlags.restricted] : []),
    ].join(' '),
    expansion: 'expanded',
  };
}

function folderTrustText(trust: FolderTrust): string {
  switch (trust.kind) {
    case 'none':
      return l10n.t('You have not consented to any server of this folder.');
    case 'folder':
      return l10n.t('You trust the configuration files of this folder.');
    case 'servers':
      return trust.count === 1
        ? l10n.t('You consented to one server of this folder.')
        : l10n.t('You consented to {0} servers of this folder.', trust.count);
  }
}

function presentServer({ server }: ServerNode, context: PresentationContext): NodePresentation {
  const { definition } = server;
  const state = server.state.value;
  const kind = definition.launch?.kind;
  const tools = server.catalog.value.tools.length;
  const isBroken = ['error', 'needs_auth', 'invalid'].includes(state.kind);
  const facts = [
    stateWord(state),
    ...(isBroken ? [stateSentence(state)] : []),
    ...(tools > 0 ? [toolCount(tools)] : []),
    ...(kind && !isBroken ? [kind] : []),
    ...(definition.hides.length > 0 ? [l10n.t('hides another entry')] : []),
  ];
  const place = definition.folder ? l10n.t('folder {0}', definition.folder.name) : l10n.t('global');
  return {
    label: definition.name,
    description: facts.join(' · '),
    icon: stateIcon(state),
    color: stateColor(state),
    tooltip: serverTooltip(server),
    spoken: [definition.name, ...facts, place].join(', '),
    flags: serverFlags(server, context).join(' '),
    expansion: hasChildren(server) ? 'collapsed' : 'none',
    command: serverCommand(state),
  };
}

function hasChildren(server: McpServer): boolean {
  const state = server.state.value;
  const catalog = server.catalog.value;
  return (
    state.kind === 'error' ||
    state.kind === 'needs_auth' ||
    catalog.notices.length > 0 ||
    server.definition.problems.some((problem) => problem.severity !== 'info') ||
    (['tools', 'resources', 'prompts'] as const).some((group) => groupSize(group, catalog) > 0)
  );
}

function serverCommand(state: McpServerState): NodePresentation['command'] {
  if (state.kind !== 'trust_required') {
    return undefined;
  }
  return state.reason.kind === 'workspace_untrusted'
    ? { id: commandIds.manageWorkspaceTrust, title: l10n.t('Manage Workspace Trust') }
    : { id: commandIds.trustFolder, title: l10n.t('Trust Folder…') };
}

function awaitsConsent(server: McpServer): boolean {
  const state = server.state.value;
  return state.kind === 'trust_required' && state.reason.kind !== 'workspace_untrusted';
}

function serverFlags(server: McpServer, context: PresentationContext): readonly string[] {
  const { definition } = server;
  const state = server.state.value;
  const trust = definition.folder && context.folderTrust(definition.folder.uri);
  const isRestricted =
    state.kind === 'trust_required' && state.reason.kind === 'workspace_untrusted';
  const isRunning = state.kind === 'connected' || state.kind === 'connecting';
  const isStartable = isRunning || ['idle', 'error', 'needs_auth'].includes(state.kind);
  return [
    itemFlags.server,
    definition.enabled ? itemFlags.switchedOn : itemFlags.switchedOff,
    ...(trust && trust.kind !== 'none' ? [itemFlags.hasConsent] : []),
    ...(awaitsConsent(server) ? [itemFlags.awaitsConsent] : []),
    ...(isRestricted ? [itemFlags.restricted] : []),
    ...(isStartable ? [itemFlags.startable] : []),
    ...(isRunning ? [itemFlags.running] : []),
    ...(state.kind === 'error' || state.kind === 'needs_auth' ? [itemFlags.failing] : []),
  ];
}

function stateColor(state: McpServerState): string | undefined {
  switch (state.kind) {
    case 'connected':
      return 'testing.iconPassed';
    case 'error':
      return 'list.errorForeground';
    case 'invalid':
    case 'needs_auth':
    case 'trust_required':
      return 'list.warningForeground';
    case 'disabled':
    case 'idle':
      return 'disabledForeground';
    case 'connecting':
      return undefined;
  }
}

function serverTooltip(server: McpServer): readonly TooltipPart[] {
  const { definition } = server;
  const state = server.state.value;
  const catalog = server.catalog.value;
  const remedy = stateRemedy(state);
  const launch = launchText(definition);
  const info = catalog.serverInfo;
  return [
    { kind: 'title', text: definition.name },
    { kind: 'paragraph', text: stateSentence(state) },
    ...(remedy ? [{ kind: 'paragraph', text: remedy } as const] : []),
    ...(launch ? [{ kind: 'code', text: launch, language: 'shellscript' } as const] : []),
    ...(info
      ? [{ kind: 'paragraph', text: `${info.title ?? info.name} ${info.version}` } as const]
      : []),
    ...(state.kind === 'connected'
      ? [{ kind: 'paragraph', text: connectionText(state) } as const]
      : []),
    { kind: 'paragraph', text: l10n.t('Declared in {0}', definition.origin.path) },
    ...definition.hides.map(
      ({ path }) => ({ kind: 'paragraph', text: l10n.t('Hides the entry in {0}', path) }) as const,
    ),
  ];
}

function connectionText(state: Extract<McpServerState, { kind: 'connected' }>): string {
  const seconds = (state.connectMs / 1000).toFixed(1);
  return state.pid === undefined
    ? l10n.t('Connected by {0} in {1} s', state.transport, seconds)
    : l10n.t('Connected by {0} in {1} s, process {2}', state.transport, seconds, state.pid);
}

function presentGroup({ group, server }: GroupNode): NodePresentation {
  const count = groupSize(group, server.catalog.value);
  const label = groupLabel(group);
  return {
    label,
    description: String(count),
    icon: { tools: 'tools', resources: 'library', prompts: 'comment' }[group],
    tooltip: [],
    spoken: [label, String(count), l10n.t('server {0}', server.definition.name)].join(', '),
    flags: group,
    expansion: 'collapsed',
  };
}

function groupLabel(group: GroupKind): string {
  switch (group) {
    case 'tools':
      return l10n.t('Tools');
    case 'resources':
      return l10n.t('Resources');
    case 'prompts':
      return l10n.t('Prompts');
  }
}

function presentTool({ tool }: ToolNode): NodePresentation {
  const { annotations, description } = tool;
  const title = tool.title ?? annotations?.title;
  const claims = [
    ...(annotations?.readOnlyHint === true ? [l10n.t('read-only')] : []),
    ...(annotations?.readOnlyHint !== true && annotations?.destructiveHint === true
      ? [l10n.t('destructive')]
      : []),
    ...(annotations?.openWorldHint === true ? [l10n.t('open world')] : []),
  ];
  return {
    label: tool.name,
    description: firstLine(description ?? title),
    icon: annotations?.readOnlyHint === true ? 'eye' : 'wrench',
    tooltip: [
      { kind: 'title', text: title ?? tool.name },
      ...(description ? [{ kind: 'paragraph', text: description } as const] : []),
      ...(claims.length > 0
        ? [{ kind: 'paragraph', text: l10n.t('The server says: {0}', claims.join(', ')) } as const]
        : []),
      ...parameterParts(tool.inputSchema),
    ],
    spoken: [tool.name, l10n.t('tool'), ...claims, firstLine(description) ?? '']
      .filter((part) => part !== '')
      .join(', '),
    flags: 'tool',
    expansion: 'none',
  };
}

function parameterParts(schema: { readonly [key: string]: unknown }): readonly TooltipPart[] {
  const properties = schema.properties;
  const names =
    typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  if (names.length === 0) {
    return [];
  }
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const listed = names.map((name) => (required.has(name) ? name : `${name}?`)).join(', ');
  return [{ kind: 'paragraph', text: l10n.t('Parameters: {0}', listed) }];
}

function presentResource({ resource }: ResourceNode): NodePresentation {
  const key = resourceKey(resource);
  const isTemplate = !('uri' in resource);
  return {
    label: resource.title ?? resource.name,
    description: key,
    icon: isTemplate ? 'symbol-namespace' : 'file',
    tooltip: [
      { kind: 'title', text: resource.title ?? resource.name },
      ...(resource.description ? [{ kind: 'paragraph', text: resource.description } as const] : []),
      { kind: 'code', text: key },
      ...(resource.mimeType ? [{ kind: 'paragraph', text: resource.mimeType } as const] : []),
    ],
    spoken: [
      resource.title ?? resource.name,
      isTemplate ? l10n.t('resource template') : l10n.t('resource'),
      key,
    ].join(', '),
    flags: 'resource',
    expansion: 'none',
  };
}

function presentPrompt({ prompt }: PromptNode): NodePresentation {
  const args = prompt.arguments.map((one) => (one.required ? one.name : `${one.name}?`));
  return {
    label: prompt.name,
    description: firstLine(prompt.description ?? prompt.title),
    icon: 'comment-discussion',
    tooltip: [
      { kind: 'title', text: prompt.title ?? prompt.name },
      ...(prompt.description ? [{ kind: 'paragraph', text: prompt.description } as const] : []),
      ...(args.length > 0
        ? [{ kind: 'paragraph', text: l10n.t('Parameters: {0}', args.join(', ')) } as const]
        : []),
    ],
    spoken: [prompt.name, l10n.t('prompt')].join(', '),
    flags: 'prompt',
    expansion: 'none',
  };
}

function presentProblem({ file }: ProblemNode): NodePresentation {
  const { problem, path } = file;
  const isError = problem.severity === 'error';
  // the whole path would push the cause out of sight; the tooltip has it
  const message = problem.message.replaceAll(path, shortPath(path));
  return {
    label: message,
    icon: isError ? 'error' : 'warning',
    color: isError ? 'list.errorForeground' : 'list.warningForeground',
    tooltip: [
      { kind: 'paragraph', text: problem.message },
      { kind: 'paragraph', text: problem.remedy },
      { kind: 'code', text: path },
    ],
    spoken: isError
      ? l10n.t('error: {0} {1}', message, problem.remedy)
      : l10n.t('warning: {0} {1}', message, problem.remedy),
    flags: itemFlags.problem,
    expansion: 'none',
    command: { id: commandIds.openProblem, title: l10n.t('Open File at Problem') },
  };
}

/** `.mcp.json`, but `.pi/mcp.json`. */
function shortPath(path: string): string {
  const parts = path.split(/[\\/]/);
  return parts.slice(parts.at(-1) === 'mcp.json' ? -2 : -1).join('/');
}

function presentDetail({ role, text }: DetailNode): NodePresentation {
  const icon = { cause: 'error', remedy: 'lightbulb', stderr: 'output', notice: 'info' }[role];
  return {
    label: text,
    icon,
    tooltip: [{ kind: role === 'stderr' ? 'code' : 'paragraph', text }],
    spoken: role === 'stderr' ? l10n.t('the server wrote: {0}', text) : text,
    flags: 'detail',
    expansion: 'none',
  };
}

function serverCount(count: number): string {
  return count === 1 ? l10n.t('1 server') : l10n.t('{0} servers', count);
}

export function toolCount(count: number): string {
  return count === 1 ? l10n.t('1 tool') : l10n.t('{0} tools', count);
}

function firstLine(text: string | undefined): string | undefined {
  return text?.trim().split(/\r?\n/, 1)[0];
}
