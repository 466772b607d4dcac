/** From what a command was called with to the server or pool it means. */
import { isJsonObject } from '../../base/json.js';
import type { McpServerId } from '../../config/definition.js';
import { serverUnknown } from '../../config/errors.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpTool } from '../../mcp/mcpTypes.js';
import { resourceKey } from './below/catalogPresentation.js';
import type { TreeNode } from './nodes.js';

/** A node of the tree or what the menu of a page says, or a server id. The live server is looked up, so that a stale node is harmless. */
export function serverOf(service: McpService, argument: unknown): McpServer | undefined {
  return service.getServer(serverIdOf(argument) ?? '');
}

/** As {@link serverOf}. @throws {HumanError} with code `server_unknown` for a server that is named, but gone */
export function namedServer(service: McpService, argument: unknown): McpServer | undefined {
  const server = serverOf(service, argument);
  if (!server && serverIdOf(argument) !== undefined) {
    throw serverUnknown();
  }
  return server;
}

function serverIdOf(argument: unknown): McpServerId | undefined {
  const node = asTreeNode(argument);
  const id = node && 'server' in node ? node.server?.id : undefined;
  return typeof argument === 'string' ? argument : id;
}

/** What a link to a tool hands to a command: links hand over texts alone. */
export function toolLink(server: McpServer, tool: string): string {
  return `${tool}\n${server.id}`;
}

export interface ToolTarget {
  readonly server: McpServer;
  readonly tool: McpTool;
}

/** The tool of a node of the tree or of a {@link toolLink}, as its server offers it. */
export function toolTarget(service: McpService, argument: unknown): ToolTarget | undefined {
  if (typeof argument === 'string') {
    const end = argument.indexOf('\n');
    const server = service.getServer(argument.slice(end + 1));
    const tool = server?.catalog.value.tools.find(({ name }) => name === argument.slice(0, end));
    return server && tool && { server, tool };
  }
  const server = serverOf(service, argument);
  const node = asTreeNode(argument);
  const tool =
    node?.kind === 'tool' &&
    server?.catalog.value.tools.find(({ name }) => name === node.tool.name);
  return server && tool ? { server, tool } : undefined;
}

/** A node of the tree (for a server, its pool), or the id of a pool or a server. */
export function poolOf(service: McpService, argument: unknown): McpPool | undefined {
  const node = asTreeNode(argument);
  const id =
    typeof argument === 'string'
      ? argument
      : node?.kind === 'pool'
        ? node.pool.id
        : node?.kind === 'problem'
          ? node.poolId
          : undefined;
  const poolId = serverOf(service, argument)?.definition.poolId ?? id;
  return poolId === undefined ? undefined : service.getPool(poolId);
}

export function asTreeNode(argument: unknown): TreeNode | undefined {
  // VS Code hands our own nodes back; other callers get nowhere, since everything is looked up by id
  return isJsonObject(argument) && typeof argument.kind === 'string'
    ? (argument as TreeNode)
    : undefined;
}

/** What a node stands for as its server or file calls it; `undefined` for nodes that stand for nothing of the kind. */
export function originalName(node: TreeNode): string | undefined {
  switch (node.kind) {
    case 'tool':
      return node.tool.name;
    case 'prompt':
      return node.prompt.name;
    case 'skill':
      return node.skill.name;
    case 'resource':
      return resourceKey(node.resource);
    default:
      return undefined;
  }
}
