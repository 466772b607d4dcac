/** Lets a model load the skills of a server: one tool per server, which runs nothing. Its texts are for the model. */
import type { JsonObject } from '../../../base/json.js';
import type { McpCallOptions, McpServer } from '../../mcpApi.js';
import type { McpCatalog, McpSkillContents, McpTool, McpToolResult } from '../../mcpTypes.js';
import { heldDefinitions } from '../../stateKinds.js';
import { ownTool } from './ownTool.js';

const toolNames = ['load_skill', 'load_mcp_skill', 'load_skill_of_server'];
const manifest = '/SKILL.md';

const made = new WeakSet<McpTool>();

/** `undefined` when there is nothing to load. */
export const skillTool = ownTool(
  toolNames,
  ({ skills = [] }) => skills.length > 0,
  (name, server) => {
    const tool = makeTool(name, server);
    made.add(tool);
    return tool;
  },
);

/** Whether it is a tool of ours, that a server cannot make itself. */
export function isSkillTool(tool: McpTool): boolean {
  return made.has(tool);
}

/** @throws whatever loading it throws. */
export async function callSkillTool(
  server: McpServer,
  { skill, file }: JsonObject,
  options: McpCallOptions,
): Promise<McpToolResult> {
  const path = typeof file === 'string' && file !== '' ? file : undefined;
  const loaded = await server.loadSkill(String(skill), path, options);
  return { content: [{ type: 'text', text: skillText(loaded) }], isError: false };
}

/** What a model reads of a file of a skill. */
export function skillText({ skill, file, text }: McpSkillContents): string {
  const body = text ?? `[${file.size} bytes, not a text]`;
  const others = skill.files.filter(({ path }) => path !== file.path);
  return file.uri !== skill.uri || others.length === 0
    ? body
    : [
        body,
        'Other files of this skill, which are loaded the same way, by their name. Nothing of it was run.',
        ...others.map(({ path, size }) => `- ${JSON.stringify(path)}, ${size} bytes`),
      ].join('\n');
}

/** Tells which addresses are of files of skills: those are loaded as such, so that they are checked and asked about. */
export function skillAddresses(catalog: McpCatalog): (uri: string) => boolean {
  const held = heldDefinitions({ catalog: { value: catalog } }).flatMap(({ kind, definition }) =>
    kind === 'skill' ? [String(definition.uri)] : [],
  );
  const folders = [...(catalog.skills ?? []).map(({ uri }) => uri), ...held].map((uri) =>
    uri.slice(0, 1 - manifest.length),
  );
  return (uri) => {
    const address = URL.canParse(uri) ? new URL(uri).href : uri;
    return /^skill:/i.test(address) || folders.some((folder) => address.startsWith(folder));
  };
}

/** Which file of which skill has this address. */
export function findSkillFile(
  { skills = [] }: McpCatalog,
  uri: string,
): { readonly skill: string; readonly path: string } | undefined {
  return skills
    .flatMap(({ name, files }) => files.map((file) => ({ ...file, skill: name })))
    .find((file) => file.uri === uri);
}

/** Says the same whatever the server lists, so that neither prompt caches nor approvals depend on it. */
function makeTool(name: string, server: string): McpTool {
  return {
    name,
    description: `Loads a skill of the MCP server '${server}', or another file of it.`,
    inputSchema: {
      type: 'object',
      properties: {
        skill: { type: 'string', description: 'Name of the skill' },
        file: { type: 'string', description: 'File of the skill; default: SKILL.md' },
      },
      required: ['skill'],
    },
  };
}
