/** The `ToolSearch` tool: finds tools that are not offered yet and activates them. Its texts are for the model. */
import { groupBy } from '../../base/lists.js';
import { briefLimits, clip, outlineTool } from '../../mcp/catalog/schema/toolOutline.js';
import { CurrentIndex } from '../../mcp/catalog/search/currentIndex.js';
import { selectTools } from '../../mcp/catalog/search/selectTools.js';
import type { ModelTool } from '../../mcp/catalog/toolCatalog.js';
import type { PiTool, PiToolResult } from '../pi/piModule.js';
import { type BridgedTool, outlined } from './bridgedTool.js';

export const toolSearchName = 'ToolSearch';

const maxActivated = 5;
/** Characters of what is said of one server, and of all. */
const maxPurpose = 80;
const maxPurposes = 1200;

type DescribedTool = Pick<ModelTool, 'server' | 'tool' | 'purpose'>;

export interface ToolSearchOptions {
  /** Tools that can be found; the same array while nothing changed. */
  readonly findable: () => readonly BridgedTool[];
  /** Offers tools from the next model request on. */
  readonly activate: (tools: readonly BridgedTool[]) => void;
}

export class ToolSearch {
  private readonly index: CurrentIndex<BridgedTool>;
  private readonly lines = new Map</* server */ string, string>();

  constructor(private readonly options: ToolSearchOptions) {
    this.index = new CurrentIndex(options.findable);
  }

  /**
   * What is said of a server stays the same for the whole conversation, so that prompt caches outlive reconnects and new
   * tools.
   */
  define(tools: readonly DescribedTool[]): PiTool {
    const servers = groupBy(tools, ({ server }) => server);
    const lines = [...servers.keys()].sort().map((server) => {
      const line = this.lines.get(server) ?? serverLine(server, servers.get(server) ?? []);
      this.lines.set(server, line);
      return line;
    });
    return {
      name: toolSearchName,
      label: 'ToolSearch',
      description: `Finds and activates tools of the user's MCP servers. Call it whenever a task may need one of them. The tools that it returns can be called in your next step. The servers, in their own words:\n${withinBounds(lines).join('\n')}`,
      parameters: {
        type: 'object',
        properties: {
          query: {
            type: 'string',
            description:
              'What you want to do, in a few words; or select:name1,name2 for tools whose names you know.',
          },
        },
        required: ['query'],
      } as unknown as PiTool['parameters'],
      execute: (_id, args) => this.activateMatching((args as { query: string }).query),
    };
  }

  async activateMatching(query: string): Promise<PiToolResult> {
    const { hits, unknown } = selectTools(this.index.get(), query, maxActivated);
    const found = hits.slice(0, maxActivated).map(({ tool }) => tool);
    this.options.activate(found);
    const lines = found.map((tool) => outlineTool(outlined(tool), briefLimits));
    const notes = [
      ...(unknown.length > 0 ? [`No tool is called ${unknown.join(', ')}.`] : []),
      ...(hits.length > maxActivated ? [`Only ${maxActivated} are activated at a time.`] : []),
    ];
    const head =
      found.length > 0
        ? 'Activated; call them by these names:'
        : 'No tool matches. Try other words, or go on without.';
    return {
      content: [{ type: 'text', text: [head, ...lines, ...notes].join('\n') }],
      details: { found: found.map(({ name }) => name) },
    };
  }
}

/** What the server is for as it says itself, or else what its tools are called. */
function serverLine(server: string, tools: readonly DescribedTool[]): string {
  const [first] = tools;
  const text =
    first?.purpose ??
    tools
      .slice(0, 4)
      .map(({ tool }) => tool)
      .join(', ');
  return `${server}: ${clip(text, maxPurpose)}`;
}

/** Where there are too many, the later ones by name alone. */
function withinBounds(lines: readonly string[]): readonly string[] {
  let rest = maxPurposes;
  return lines.map((line) => {
    rest -= line.length;
    return rest >= 0 ? line : line.slice(0, line.indexOf(':'));
  });
}
