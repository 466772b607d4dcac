/** The tree of servers as data. Nodes are built from the service on demand and hold nothing of their own. */
import { type ConfigProblem, type FileProblem, isAdvice } from '../../config/definition.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import type {
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpServerFailure,
  McpServerState,
  McpTool,
} from '../../mcp/mcpTypes.js';
import { awaitsConsent } from '../../mcp/stateText.js';
import { failureTrouble, troubleOf } from '../../mcp/trouble.js';
import {
  type GroupKind,
  groupItems,
  groupKinds,
  presentGroup,
  presentPrompt,
  presentResource,
  resourceKey,
} from './catalogPresentation.js';
import {
  type DetailRole,
  failureOf,
  outputLines,
  presentDetail,
  presentOutput,
} from './failurePresentation.js';
import { fileFaults, presentPool, presentProblem, presentReview } from './poolPresentation.js';
import { type NodePresentation, type PresentationContext, serverProblems } from './presentation.js';
import { presentServer } from './serverPresentation.js';
import { presentTool } from './toolPresentation.js';

/** What the nodes of each kind carry. */
interface NodeData {
  /** Leads to everything that waits for consent. */
  review: { readonly service: McpService };
  pool: { readonly pool: McpPool };
  server: { readonly server: McpServer };
  group: { readonly group: GroupKind; readonly server: McpServer };
  tool: { readonly server: McpServer; readonly tool: McpTool };
  resource: {
    readonly server: McpServer;
    readonly resource: McpResource | McpResourceTemplate;
  };
  prompt: { readonly server: McpServer; readonly prompt: McpPrompt };
  /** A problem of a file or of one entry; opens its place in the file. */
  problem: {
    readonly file: FileProblem;
    /** The pool's node is the parent when no server is given. */
    readonly poolId: string;
    readonly server?: McpServer;
  };
  /** What a failed server wrote last. */
  output: { readonly server: McpServer; readonly failure: McpServerFailure };
  /** One line under a server: cause, remedy or a line of its output. */
  detail: {
    readonly role: DetailRole;
    readonly text: string;
    readonly index: number;
    readonly server: McpServer;
  };
}

type Kind = keyof NodeData;
export type NodeOf<K extends Kind> = NodeData[K] & { readonly kind: K };
export type TreeNode = { readonly [K in Kind]: NodeOf<K> }[Kind];

/** What decides which nodes there are, beside the service. */
type NodeFacts = Pick<PresentationContext, 'problemsOf'>;

interface NodeKind<N> {
  /** Stable while the pool, server or item it stands for exists. */
  readonly id: (node: N) => string;
  /** Absent at the top. */
  readonly parent?: (node: N, service: McpService) => TreeNode | undefined;
  /** Absent for leaves. */
  readonly children?: (node: N, facts: NodeFacts) => readonly TreeNode[];
  readonly present: (node: N, context: PresentationContext) => NodePresentation;
}

/** Everything that the tree knows of each kind of node. */
const nodeKinds: { readonly [K in Kind]: NodeKind<NodeOf<K>> } = {
  review: {
    id: () => 'review',
    present: ({ service }) => presentReview(service.servers.filter(awaitsConsent).length),
  },
  pool: {
    id: ({ pool }) => pool.id,
    children: ({ pool }) => [
      ...fileFaults(pool).map((file): TreeNode => ({ kind: 'problem', file, poolId: pool.id })),
      ...pool.servers.map(serverNode),
    ],
    present: ({ pool }, context) => presentPool(pool, context),
  },
  server: {
    id: ({ server }) => server.id,
    parent: ({ server }, service) => poolNode(service, server.definition.poolId),
    children: ({ server }, facts) => serverChildren(server, facts),
    present: ({ server }, context) =>
      presentServer(server, context, serverChildren(server, context).length > 0),
  },
  group: {
    id: ({ server, group }) => `${server.id}/${group}`,
    parent: ({ server }) => serverNode(server),
    children: ({ server, group }) => groupChildren[group](server),
    present: ({ server, group }, context) => presentGroup(group, server, context),
  },
  tool: {
    id: ({ server, tool }) => `${server.id}/tools/${tool.name}`,
    parent: ({ server }) => ({ kind: 'group', group: 'tools', server }),
    present: ({ server, tool }, context) => presentTool(server, tool, context),
  },
  resource: {
    id: ({ server, resource }) => `${server.id}/resources/${resourceKey(resource)}`,
    parent: ({ server }) => ({ kind: 'group', group: 'resources', server }),
    present: ({ resource }) => presentResource(resource),
  },
  prompt: {
    id: ({ server, prompt }) => `${server.id}/prompts/${prompt.name}`,
    parent: ({ server }) => ({ kind: 'group', group: 'prompts', server }),
    present: ({ prompt }) => presentPrompt(prompt),
  },
  problem: {
    id: ({ server, poolId, file: { path, problem } }) =>
      `${server?.id ?? poolId}/problem/${path}/${problem.code}/${problem.range?.start ?? 0}`,
    parent: ({ server, poolId }, service) =>
      server ? serverNode(server) : poolNode(service, poolId),
    present: ({ file }) => presentProblem(file),
  },
  output: {
    id: ({ server }) => `${server.id}/output`,
    parent: ({ server }) => serverNode(server),
    children: ({ server, failure }) => details(server, 'stderr', outputLines(failure)),
    present: ({ failure }) => presentOutput(failure),
  },
  detail: {
    id: ({ server, role, index }) => `${server.id}/detail/${role}/${index}`,
    parent: ({ server, role }) => {
      const failure = failureOf(server.state.value);
      return role === 'stderr' && failure
        ? { kind: 'output', server, failure }
        : serverNode(server);
    },
    present: ({ role, text }) => presentDetail(role, text),
  },
};

export function nodeId(node: TreeNode): string {
  return kindOf(node).id(node);
}

export function childNodes(node: TreeNode, facts: NodeFacts = {}): readonly TreeNode[] {
  return kindOf(node).children?.(node, facts) ?? [];
}

export function parentNode(node: TreeNode, service: McpService): TreeNode | undefined {
  return kindOf(node).parent?.(node, service);
}

export function presentNode(node: TreeNode, context: PresentationContext): NodePresentation {
  return kindOf(node).present(node, context);
}

/** What waits, the global servers, the folders. Empty without servers and problems, so that the welcome view shows. */
export function rootNodes(service: McpService): readonly TreeNode[] {
  const hasContent = service.pools.some(
    (pool) => pool.servers.length > 0 || fileFaults(pool).length > 0,
  );
  const hasWaiting = service.servers.some(awaitsConsent);
  const review: readonly TreeNode[] = hasWaiting ? [{ kind: 'review', service }] : [];
  return hasContent
    ? [...review, ...service.pools.map((pool) => ({ kind: 'pool', pool }) as const)]
    : [];
}

export function serverNode(server: McpServer): NodeOf<'server'> {
  return { kind: 'server', server };
}

function poolNode(service: McpService, poolId: string): NodeOf<'pool'> | undefined {
  const pool = service.getPool(poolId);
  return pool && { kind: 'pool', pool };
}

function kindOf<N extends TreeNode>(node: N): NodeKind<TreeNode> {
  // each row is called with nodes of its own kind alone, which the compiler cannot see
  return nodeKinds[node.kind] as NodeKind<TreeNode>;
}

function serverChildren(server: McpServer, facts: NodeFacts): readonly TreeNode[] {
  const { poolId, origin } = server.definition;
  const catalog = server.catalog.value;
  const problems = serverProblems(server, facts);
  const problemNode = (problem: ConfigProblem): TreeNode => {
    return { kind: 'problem', file: { path: origin.path, problem }, poolId, server };
  };
  return [
    ...problems.filter((problem) => !isAdvice(problem)).map(problemNode),
    ...failureDetails(server, server.state.value),
    ...groupKinds
      .filter((group) => groupItems(group, catalog).length > 0)
      .map((group) => ({ kind: 'group', group, server }) as const),
    ...details(server, 'notice', catalog.notices),
    ...problems.filter(isAdvice).map(problemNode),
  ];
}

function failureDetails(server: McpServer, state: McpServerState): readonly TreeNode[] {
  const failure = failureOf(state);
  if (!failure) {
    return [];
  }
  const { cause, message, remedy, nextTry } = troubleOf(state) ?? failureTrouble(failure);
  return [
    ...details(server, 'cause', [...new Set([cause, message])]),
    ...details(server, 'remedy', remedy === undefined ? [] : [remedy]),
    ...details(server, 'nextTry', nextTry === undefined ? [] : [nextTry]),
    ...(outputLines(failure).length > 0 ? [{ kind: 'output', server, failure } as const] : []),
  ];
}

function details(
  server: McpServer,
  role: DetailRole,
  texts: readonly string[],
): readonly NodeOf<'detail'>[] {
  return texts.map((text, index) => ({ kind: 'detail', role, text, index, server }));
}

const groupChildren: Readonly<Record<GroupKind, (server: McpServer) => readonly TreeNode[]>> = {
  tools: (server) =>
    uniqueBy(server.catalog.value.tools, ({ name }) => name).map((tool) => ({
      kind: 'tool',
      server,
      tool,
    })),
  resources: (server) =>
    uniqueBy(
      [...server.catalog.value.resources, ...server.catalog.value.resourceTemplates],
      resourceKey,
    ).map((resource) => ({ kind: 'resource', server, resource })),
  prompts: (server) =>
    uniqueBy(server.catalog.value.prompts, ({ name }) => name).map((prompt) => ({
      kind: 'prompt',
      server,
      prompt,
    })),
};

/** A server may list a name twice; VS Code refuses a tree with equal ids. */
function uniqueBy<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}
