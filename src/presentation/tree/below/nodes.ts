/** All nodes of the tree as data, with those below servers. They are built from the service on demand. */
import { type ConfigProblem, isAdvice } from '../../../config/definition.js';
import type { McpServer } from '../../../mcp/mcpApi.js';
import type { McpServerState } from '../../../mcp/mcpTypes.js';
import { failureTrouble, troubleOf } from '../../../mcp/trouble.js';
import { serverProblems } from '../presentation.js';
import { failureOf } from '../serverPresentation.js';
import {
  type DetailRole,
  type GroupKind,
  type NodeFacts,
  type NodeOf,
  serverNode,
  type TreeNode,
  type TreeNodes,
  topKinds,
  treeNodesOf,
} from '../topNodes.js';
import {
  groupItems,
  groupKinds,
  presentGroup,
  presentPrompt,
  presentResource,
  resourceKey,
} from './catalogPresentation.js';
import { outputLines, presentDetail, presentOutput } from './failurePresentation.js';
import { presentProblem } from './problemPresentation.js';
import { presentTool } from './toolPresentation.js';

export { rootNodes, serverNode, type TreeNode } from '../topNodes.js';

const nodes: TreeNodes = treeNodesOf({
  ...topKinds,
  server: {
    ...topKinds.server,
    children: ({ server }, facts) => serverChildren(server, facts),
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
  problem: { ...topKinds.problem, present: ({ file }) => presentProblem(file) },
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
});

export const { nodeId, childNodes, parentNode, presentNode } = nodes;

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
