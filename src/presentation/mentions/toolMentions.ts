/** Servers and their tools as what a message may name, so that the model uses them for it. */
import type { McpServer } from '../../mcp/mcpApi.js';
import { toolCount } from '../tree/presentation.js';

export interface ToolMention {
  readonly label: string;
  readonly detail: string;
  /** What it is found by, beside its label: a server by its name alone, before its tools. */
  readonly words: string;
  /** What the draft says in its place. */
  readonly word: string;
  /** For the model; made once it is picked, since rows are made with each letter. */
  readonly text: () => string;
}

/** Names of tools that the model is told of one server. */
const maxNames = 40;
/** Characters of a name. */
const maxName = 200;

/**
 * Each server before its tools. None of one that has no tools, or never showed any.
 * @param query without letters, the servers alone
 */
export function toolMentions(
  servers: readonly Pick<McpServer, 'definition' | 'catalog'>[],
  query: string,
): readonly ToolMention[] {
  return servers.flatMap(({ definition: { name: server }, catalog }): readonly ToolMention[] => {
    const { tools } = catalog.value;
    if (tools.length === 0) {
      return [];
    }
    const detail = toolCount(tools.length);
    const whole = {
      label: server,
      detail,
      words: '',
      word: server,
      text: () => serverText(server, tools),
    };
    return query === '' ? [whole] : [whole, ...tools.map(({ name }) => oneTool(server, name))];
  });
}

function oneTool(server: string, name: string): ToolMention {
  return {
    label: name,
    detail: server,
    words: server,
    word: name,
    text: () =>
      `The user wants you to use the tool ${quote(name)} of the MCP server ${quote(server)} for this message. If it is not offered to you, ToolSearch finds it.`,
  };
}

function serverText(server: string, tools: readonly { readonly name: string }[]): string {
  const names = tools.slice(0, maxNames).map(({ name }) => quote(name));
  const more = tools.length > maxNames ? ` and ${tools.length - maxNames} more` : '';
  return `The user wants you to use tools of the MCP server ${quote(server)} for this message. It has ${names.join(', ')}${more}. What is not offered to you, ToolSearch finds.`;
}

/** What a server calls itself and its tools is data. */
const quote = (name: string) => JSON.stringify(name.slice(0, maxName));
