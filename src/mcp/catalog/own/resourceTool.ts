/** Lets a model read the resources of a server: one tool per server, which also lists them. Its texts are for the model. */
import type { JsonObject } from '../../../base/json.js';
import type { McpCallOptions, McpServer } from '../../mcpApi.js';
import type { McpCatalog, McpTool, McpToolResult } from '../../mcpTypes.js';
import { ownTool, type ToolServer } from './ownTool.js';
import { skillAddresses, skillTool } from './skillTool.js';

const toolNames = ['read_resource', 'read_mcp_resource', 'read_resource_of_server'];
const maxListed = 200;
const maxDescription = 200;

const toolOfListed = ownTool(toolNames, (catalog) => listed(catalog).length > 0, makeTool);

/** What a model can call: the tools of the server, one for its skills, and one for its resources unless `exposeResources` is off. */
export function callableTools(server: ToolServer): readonly McpTool[] {
  const { tools } = server.catalog.value;
  const ours = [resourceTool(server), skillTool(server)].flatMap((tool) => tool ?? []);
  return ours.length > 0 ? [...tools, ...ours] : tools;
}

/** `undefined` when there is nothing to read or the entry does not want it. */
export function resourceTool(server: ToolServer): McpTool | undefined {
  return server.definition.options.exposeResources ? toolOfListed(server) : undefined;
}

/** @throws whatever reading it throws. */
export async function callResourceTool(
  server: McpServer,
  { uri }: JsonObject,
  options: Pick<McpCallOptions, 'signal' | 'assertWanted' | 'maker'>,
): Promise<McpToolResult> {
  if (typeof uri !== 'string' || uri === '') {
    return { content: [{ type: 'text', text: listResources(server) }], isError: false };
  }
  if (skillAddresses(server.catalog.value)(uri)) {
    const name = skillTool(server)?.name ?? 'load_skill';
    const text = `This is a file of a skill: call ${name}.`;
    return { content: [{ type: 'text', text }], isError: true };
  }
  const contents = await server.readResource(uri, options);
  return { content: contents.map((resource) => ({ type: 'resource', resource })), isError: false };
}

/** Says the same whatever the server lists, so that neither prompt caches nor approvals depend on it. */
function makeTool(name: string, server: string): McpTool {
  return {
    name,
    description: `Reads a resource of the MCP server '${server}'; without uri, lists its resources.`,
    inputSchema: {
      type: 'object',
      properties: { uri: { type: 'string', description: 'URI of the resource' } },
    },
  };
}

function listResources({ catalog }: ToolServer): string {
  const all = listed(catalog.value);
  const more = all.length - maxListed;
  return [...all.slice(0, maxListed), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n');
}

/** Pages of apps are for people. */
function listed(catalog: McpCatalog): readonly string[] {
  const { resources, resourceTemplates } = catalog;
  const isOfSkill = skillAddresses(catalog);
  return [
    ...resources.map(({ uri, name, description }) => ({ uri, name, description })),
    ...resourceTemplates.map(({ uriTemplate, name, description }) => ({
      uri: uriTemplate,
      name: `${name} (fill in the braces)`,
      description,
    })),
  ]
    .filter(({ uri }) => !uri.startsWith('ui://') && !isOfSkill(uri))
    .map(({ uri, name, description }) =>
      [`${uri} - ${name}`, description?.slice(0, maxDescription)].filter(Boolean).join(': '),
    );
}
