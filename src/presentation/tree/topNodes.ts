/** The rows of the tree that show before anybody opens one, as data. Nodes hold nothing of their own. */
import type { FileProblem } from '../../config/definition.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import type {
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpSkill,
  McpTool,
} from '../../mcp/mcpTypes.js';
import { awaitsReview } from '../../mcp/stateKinds.js';
import { fileFaults, presentPool, presentReview, presentStarter } from './poolPresentation.js';
import { type NodePresentation, type PresentationContext, serverProblems } from './presentation.js';
import { failureOf, presentServer } from './serverPresentation.js';

export type GroupKind = 'tools' | 'resources' | 'prompts' | 'skills';

/** What the nodes of each kind carry. */
interface NodeData {
  /** Leads to everything that waits for consent. */
  review: { readonly service: McpService };
  /** Leads to the question who starts what VS Code would start, too. */
  starter: object;
  pool: { readonly pool: McpPool };
  server: { readonly server: McpServer };
  group: { readonly group: GroupKind; readonly server: McpServer };
  tool: { readonly server: McpServer; readonly tool: McpTool };
  resource: {
    readonly server: McpServer;
    readonly resource: McpResource | McpResourceTemplate;
  };
  prompt: { readonly server: McpServer; readonly prompt: McpPrompt };
  skill: { readonly server: McpServer; readonly skill: McpSkill };
  /** A problem of a file or of one entry; opens its place in the file. */
  problem: {
    readonly file: FileProblem;
    /** The pool's node is the parent when no server is given. */
    readonly poolId: string;
    readonly server?: McpServer;
  };
  /** A line under a server: what its lists left out. */
  detail: {
    readonly text: string;
    readonly index: number;
    readonly server: McpServer;
  };
}

type Kind = keyof NodeData;
export type NodeOf<K extends Kind> = NodeData[K] & { readonly kind: K };
export type TreeNode = { readonly [K in Kind]: NodeOf<K> }[Kind];

/** What decides which nodes there are, beside the service. */
export type NodeFacts = Pick<PresentationContext, 'problemsOf' | 'asksWho'>;

interface NodeKind<N> {
  /** Stable while the pool, server or item it stands for exists. */
  readonly id: (node: N) => string;
  /** Absent at the top. */
  readonly parent?: (node: N, service: McpService) => TreeNode | undefined;
  /** Absent for leaves. */
  readonly children?: (node: N, facts: NodeFacts) => readonly TreeNode[];
  readonly present: (node: N, context: PresentationContext) => NodePresentation;
}

type NodeKinds = { readonly [K in Kind]: NodeKind<NodeOf<K>> };

/** What is known of all nodes. */
export interface TreeNodes {
  nodeId(node: TreeNode): string;
  childNodes(node: TreeNode, facts?: NodeFacts): readonly TreeNode[];
  parentNode(node: TreeNode, service: McpService): TreeNode | undefined;
  presentNode(node: TreeNode, context: PresentationContext): NodePresentation;
}

export const topKinds = {
  review: {
    id: () => 'review',
    present: ({ service }) => presentReview(service.servers.filter(awaitsReview).length),
  },
  starter: { id: () => 'starter', present: presentStarter },
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
    present: ({ server }, context) => presentServer(server, context, hasRows(server, context)),
  },
  problem: {
    // one place may have several of one kind
    id: ({ server, poolId, file: { path, problem } }) =>
      `${server?.id ?? poolId}/problem/${path}/${problem.code}/${problem.range?.start ?? 0}/${problem.message}`,
    parent: ({ server, poolId }, service) =>
      server ? serverNode(server) : poolNode(service, poolId),
  },
} satisfies { readonly [K in Kind]?: Partial<NodeKind<NodeOf<K>>> };

/** Everything that the tree knows of nodes of these kinds. */
export function treeNodesOf(kinds: NodeKinds): TreeNodes {
  // each row is called with nodes of its own kind alone, which the compiler cannot see
  const kindOf = ({ kind }: TreeNode) => kinds[kind] as NodeKind<TreeNode>;
  return {
    nodeId: (node) => kindOf(node).id(node),
    childNodes: (node, facts = {}) => kindOf(node).children?.(node, facts) ?? [],
    parentNode: (node, service) => kindOf(node).parent?.(node, service),
    presentNode: (node, context) => kindOf(node).present(node, context),
  };
}

/** What waits, the global servers, the folders. Empty without servers and problems, so that the welcome view shows. */
export function rootNodes(service: McpService, { asksWho }: NodeFacts = {}): readonly TreeNode[] {
  const hasContent = service.pools.some(
    (pool) => pool.servers.length > 0 || fileFaults(pool).length > 0,
  );
  const hasWaiting = service.servers.some(awaitsReview);
  const review: readonly TreeNode[] = hasWaiting ? [{ kind: 'review', service }] : [];
  const starter: readonly TreeNode[] = asksWho?.() ? [{ kind: 'starter' }] : [];
  return hasContent
    ? [...review, ...starter, ...service.pools.map((pool) => ({ kind: 'pool', pool }) as const)]
    : [];
}

export function serverNode(server: McpServer): NodeOf<'server'> {
  return { kind: 'server', server };
}

function poolNode(service: McpService, poolId: string): NodeOf<'pool'> | undefined {
  const pool = service.getPool(poolId);
  return pool && { kind: 'pool', pool };
}

/** Whether there are rows below it. */
function hasRows(server: McpServer, facts: NodeFacts): boolean {
  const {
    tools,
    resources,
    resourceTemplates,
    prompts,
    skills = [],
    notices,
  } = server.catalog.value;
  const lists = [tools, resources, resourceTemplates, prompts, skills, notices];
  return (
    failureOf(server.state.value) === undefined &&
    (serverProblems(server, facts).length > 0 || lists.some(({ length }) => length > 0))
  );
}
