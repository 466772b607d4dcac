/** All nodes of the tree as data. They hold nothing of their own, and are built from the service on demand. */
import { type ConfigProblem, type FileProblem, isAdvice } from '../../config/definition.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import type {
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  McpSkill,
  McpTool,
} from '../../mcp/mcpTypes.js';
import { awaitsReview } from '../../mcp/stateKinds.js';
import {
  type GroupKind,
  groupItems,
  groupKinds,
  presentGroup,
  presentPrompt,
  presentResource,
  presentSkill,
  resourceKey,
} from './below/catalogPresentation.js';
import { presentDetail } from './below/failurePresentation.js';
import { presentProblem } from './below/problemPresentation.js';
import { presentTool } from './below/toolPresentation.js';
import { fileFaults, presentPool, presentReview, presentStarter } from './poolPresentation.js';
import { type NodePresentation, type PresentationContext, serverProblems } from './presentation.js';
import { failureOf, presentServer } from './serverPresentation.js';

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

const kinds: { readonly [K in Kind]: NodeKind<NodeOf<K>> } = {
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
  skill: {
    id: ({ server, skill }) => `${server.id}/skills/${skill.name}`,
    parent: ({ server }) => ({ kind: 'group', group: 'skills', server }),
    present: ({ skill }) => presentSkill(skill),
  },
  problem: {
    // one place may have several of one kind
    id: ({ server, poolId, file: { path, problem } }) =>
      `${server?.id ?? poolId}/problem/${path}/${problem.code}/${problem.range?.start ?? 0}/${problem.message}`,
    parent: ({ server, poolId }, service) =>
      server ? serverNode(server) : poolNode(service, poolId),
    present: ({ file }) => presentProblem(file),
  },
  detail: {
    id: ({ server, index }) => `${server.id}/detail/notice/${index}`,
    parent: ({ server }) => serverNode(server),
    present: ({ text }) => presentDetail(text),
  },
};

// each row is called with nodes of its own kind alone, which the compiler cannot see
const kindOf = ({ kind }: TreeNode) => kinds[kind] as NodeKind<TreeNode>;

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
  const shown = kindOf(node).present(node, context);
  const { label, description } = shown;
  const isFromRight = /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Nkoo}\p{sc=Syrc}\p{sc=Thaa}]/u.test(label);
  // such a name would take the digits behind it into its direction
  return isFromRight && description
    ? { ...shown, description: `\u2068${description}\u2069` }
    : shown;
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

function serverChildren(server: McpServer, facts: NodeFacts): readonly TreeNode[] {
  if (failureOf(server.state.value)) {
    return [];
  }
  const { poolId, origin } = server.definition;
  const catalog = server.catalog.value;
  const problemNode = (problem: ConfigProblem): TreeNode => {
    return { kind: 'problem', file: { path: origin.path, problem }, poolId, server };
  };
  const problems = uniqueBy(serverProblems(server, facts), (one) => nodeId(problemNode(one)));
  return [
    ...problems.filter((problem) => !isAdvice(problem)).map(problemNode),
    ...groupKinds
      .filter((group) => groupItems(group, catalog).length > 0)
      .map((group) => ({ kind: 'group', group, server }) as const),
    ...details(server, catalog.notices),
    ...problems.filter(isAdvice).map(problemNode),
  ];
}

function details(server: McpServer, texts: readonly string[]): readonly NodeOf<'detail'>[] {
  return texts.map((text, index) => ({ kind: 'detail', text, index, server }));
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
  skills: (server) =>
    uniqueBy(server.catalog.value.skills ?? [], ({ name }) => name).map((skill) => ({
      kind: 'skill',
      server,
      skill,
    })),
};

/** A server may list a name twice; VS Code refuses a tree with equal ids. */
function uniqueBy<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}
