/** The tree of servers as data. Nodes are built from the service on demand and hold nothing of their own. */
import type { FileProblem, McpServerId } from '../../config/definition.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import type {
  McpCatalog,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpServerState,
  McpTool,
} from '../../mcp/mcpTypes.js';
import { awaitsConsent } from '../../mcp/stateText.js';
import { lastLines, nextTry } from './failurePresentation.js';

/** Leads to everything that waits for consent. */
export type ReviewNode = { readonly kind: 'review'; readonly count: number };
export type PoolNode = { readonly kind: 'pool'; readonly pool: McpPool };
export type ServerNode = { readonly kind: 'server'; readonly server: McpServer };
export type GroupKind = 'tools' | 'resources' | 'prompts';
export type GroupNode = {
  readonly kind: 'group';
  readonly group: GroupKind;
  readonly server: McpServer;
};
export type ToolNode = {
  readonly kind: 'tool';
  readonly server: McpServer;
  readonly tool: McpTool;
};
export type ResourceNode = {
  readonly kind: 'resource';
  readonly server: McpServer;
  readonly resource: McpResource | McpResourceTemplate;
};
export type PromptNode = {
  readonly kind: 'prompt';
  readonly server: McpServer;
  readonly prompt: McpPrompt;
};
/** A problem of a file or of one entry; opens its place in the file. */
export type ProblemNode = {
  readonly kind: 'problem';
  readonly file: FileProblem;
  /** The pool's node is the parent when no server is given. */
  readonly poolId: string;
  readonly server?: McpServer;
};
/** One line under a server: cause, remedy or what the server wrote last. */
export type DetailNode = {
  readonly kind: 'detail';
  readonly role: 'cause' | 'remedy' | 'nextTry' | 'stderr' | 'notice';
  readonly text: string;
  readonly index: number;
  readonly server: McpServer;
};

export type TreeNode =
  | ReviewNode
  | PoolNode
  | ServerNode
  | GroupNode
  | ToolNode
  | ResourceNode
  | PromptNode
  | ProblemNode
  | DetailNode;

/** Stable while the pool, server or item it stands for exists. */
export function nodeId(node: TreeNode): string {
  switch (node.kind) {
    case 'review':
      return 'review';
    case 'pool':
      return node.pool.id;
    case 'server':
      return node.server.id;
    case 'group':
      return `${node.server.id}/${node.group}`;
    case 'tool':
      return `${node.server.id}/tools/${node.tool.name}`;
    case 'resource':
      return `${node.server.id}/resources/${resourceKey(node.resource)}`;
    case 'prompt':
      return `${node.server.id}/prompts/${node.prompt.name}`;
    case 'problem': {
      const { path, problem } = node.file;
      const owner = node.server?.id ?? node.poolId;
      return `${owner}/problem/${path}/${problem.code}/${problem.range?.start ?? 0}`;
    }
    case 'detail':
      return `${node.server.id}/detail/${node.role}/${node.index}`;
  }
}

export function resourceKey(resource: McpResource | McpResourceTemplate): string {
  return 'uri' in resource ? resource.uri : resource.uriTemplate;
}

/** What waits, the global servers, the folders. Empty without servers and problems, so that the welcome view shows. */
export function rootNodes(service: McpService): readonly TreeNode[] {
  const hasContent = service.pools.some(
    (pool) => pool.servers.length > 0 || fileFaults(pool).length > 0,
  );
  const count = service.pools.flatMap(({ servers }) => servers.filter(awaitsConsent)).length;
  const review: readonly TreeNode[] = count > 0 ? [{ kind: 'review', count }] : [];
  return hasContent
    ? [...review, ...service.pools.map((pool) => ({ kind: 'pool', pool }) as const)]
    : [];
}

export function childNodes(node: TreeNode): readonly TreeNode[] {
  switch (node.kind) {
    case 'pool':
      return [...fileProblemNodes(node.pool), ...node.pool.servers.map(serverNode)];
    case 'server':
      return serverChildren(node.server);
    case 'group':
      return groupChildren(node.group, node.server);
    default:
      return [];
  }
}

export function parentNode(node: TreeNode, service: McpService): TreeNode | undefined {
  switch (node.kind) {
    case 'review':
    case 'pool':
      return undefined;
    case 'server':
      return poolNode(service, node.server.definition.poolId);
    case 'group':
    case 'detail':
      return serverNode(node.server);
    case 'problem':
      return node.server ? serverNode(node.server) : poolNode(service, node.poolId);
    case 'tool':
      return { kind: 'group', group: 'tools', server: node.server };
    case 'resource':
      return { kind: 'group', group: 'resources', server: node.server };
    case 'prompt':
      return { kind: 'group', group: 'prompts', server: node.server };
  }
}

export function poolNode(service: McpService, poolId: string): PoolNode | undefined {
  const pool = service.pools.find((candidate) => candidate.id === poolId);
  return pool && { kind: 'pool', pool };
}

export function serverNode(server: McpServer): ServerNode {
  return { kind: 'server', server };
}

/** How many entries a group shows. */
export function groupSize(group: GroupKind, catalog: McpCatalog): number {
  switch (group) {
    case 'tools':
      return catalog.tools.length;
    case 'resources':
      return catalog.resources.length + catalog.resourceTemplates.length;
    case 'prompts':
      return catalog.prompts.length;
  }
}

/** Problems of files that somebody must mend; advice is for the editor of the file. */
export function fileFaults(pool: McpPool): readonly FileProblem[] {
  return pool.fileProblems.filter(({ problem }) => problem.severity !== 'info');
}

/** Servers whose state only the user can change; invalid entries and folders that need a decision included. */
export function needsUser(server: McpServer): boolean {
  const kind = server.state.value.kind;
  return (
    kind === 'trust_required' || kind === 'needs_auth' || kind === 'error' || kind === 'invalid'
  );
}

export function serversById(service: McpService): ReadonlyMap<McpServerId, McpServer> {
  return new Map(service.pools.flatMap((pool) => pool.servers.map((one) => [one.id, one])));
}

function fileProblemNodes(pool: McpPool): readonly ProblemNode[] {
  return fileFaults(pool).map((file) => ({ kind: 'problem', file, poolId: pool.id }));
}

function serverChildren(server: McpServer): readonly TreeNode[] {
  const { definition } = server;
  const state = server.state.value;
  const problems = definition.problems
    .filter((problem) => problem.severity !== 'info')
    .map<ProblemNode>((problem) => ({
      kind: 'problem',
      file: { path: definition.origin.path, problem },
      poolId: definition.poolId,
      server,
    }));
  const details =
    state.kind === 'error' || state.kind === 'needs_auth' ? failureDetails(server, state) : [];
  const notices = server.catalog.value.notices.map<DetailNode>((text, index) => ({
    kind: 'detail',
    role: 'notice',
    text,
    index,
    server,
  }));
  return [...problems, ...details, ...groupNodes(server), ...notices];
}

function failureDetails(
  server: McpServer,
  state: Extract<McpServerState, { kind: 'error' | 'needs_auth' }>,
): readonly DetailNode[] {
  const { failure } = state;
  const text = nextTry(state);
  return [
    { kind: 'detail', role: 'cause', text: failure.message, index: 0, server },
    { kind: 'detail', role: 'remedy', text: failure.remedy, index: 0, server },
    ...(text === undefined
      ? []
      : [{ kind: 'detail', role: 'nextTry', text, index: 0, server } as const]),
    ...lastLines(failure).map<DetailNode>((text, index) => ({
      kind: 'detail',
      role: 'stderr',
      text,
      index,
      server,
    })),
  ];
}

function groupNodes(server: McpServer): readonly GroupNode[] {
  const catalog = server.catalog.value;
  return (['tools', 'resources', 'prompts'] as const)
    .filter((group) => groupSize(group, catalog) > 0)
    .map((group) => ({ kind: 'group', group, server }));
}

function groupChildren(group: GroupKind, server: McpServer): readonly TreeNode[] {
  const catalog = server.catalog.value;
  switch (group) {
    case 'tools':
      return uniqueBy(catalog.tools, (tool) => tool.name).map((tool) => ({
        kind: 'tool',
        server,
        tool,
      }));
    case 'resources':
      return uniqueBy([...catalog.resources, ...catalog.resourceTemplates], resourceKey).map(
        (resource) => ({ kind: 'resource', server, resource }),
      );
    case 'prompts':
      return uniqueBy(catalog.prompts, (prompt) => prompt.name).map((prompt) => ({
        kind: 'prompt',
        server,
        prompt,
      }));
  }
}

/** A server may list a name twice; VS Code refuses a tree with equal ids. */
function uniqueBy<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}
