/** All nodes of the tree as data, with those below servers. They are built from the service on demand. */
import { type ConfigProblem, isAdvice } from '../../../config/definition.js';
import type { McpServer } from '../../../mcp/mcpApi.js';
import { serverProblems } from '../presentation.js';
import { failureOf } from '../serverPresentation.js';
import {
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
  presentSkill,
  resourceKey,
} from './catalogPresentation.js';
import { presentDetail } from './failurePresentation.js';
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
  skill: {
    id: ({ server, skill }) => `${server.id}/skills/${skill.name}`,
    parent: ({ server }) => ({ kind: 'group', group: 'skills', server }),
    present: ({ skill }) => presentSkill(skill),
  },
  problem: { ...topKinds.problem, present: ({ file }) => presentProblem(file) },
  detail: {
    id: ({ server, index }) => `${server.id}/detail/notice/${index}`,
    parent: ({ server }) => serverNode(server),
    present: ({ text }) => presentDetail(text),
  },
});

export const { nodeId, childNodes, parentNode, presentNode } = nodes;

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
