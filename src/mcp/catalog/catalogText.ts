/**
 * A catalog as text of two lines: what a window shows of it, and the schemas of its tools, which are most of the text
 * and are only parsed when somebody wants to see one.
 */
import { asList, isJsonObject, type JsonObject, parseJson } from '../../base/json.js';
import { emptyCatalog, type McpCatalog, type McpTool } from '../mcpTypes.js';

type Schemas = Pick<McpTool, 'inputSchema' | 'outputSchema'>;

const noSchemas: Schemas = { inputSchema: { type: 'object' } };

export function stringifyCatalog({ tools, ...rest }: McpCatalog): string {
  const shown: string[] = [];
  const schemas: string[] = [];
  const withOutput: number[] = [];
  for (const [index, { inputSchema, outputSchema, ...tool }] of tools.entries()) {
    shown.push(JSON.stringify(tool));
    schemas.push(JSON.stringify({ inputSchema, outputSchema }));
    if (outputSchema) {
      withOutput.push(index);
    }
  }
  const others = JSON.stringify({ ...rest, withOutput }).slice(1);
  return `{"tools":[${shown.join(',')}],${others}\n[${schemas.join(',')}]\n`;
}

/** `undefined` when the text is no catalog. */
export function parseCatalog(text: string): McpCatalog | undefined {
  const lineEnd = text.indexOf('\n');
  const value = parseJson(text.slice(0, lineEnd));
  const lists = ['tools', 'resources', 'resourceTemplates', 'prompts', 'notices'] as const;
  if (!isJsonObject(value) || !lists.every((list) => Array.isArray(value[list]))) {
    return undefined;
  }
  const { withOutput, ...rest } = value;
  const schemas = new LazySchemas(text.slice(lineEnd + 1));
  const hasOutput = new Set(asList(withOutput));
  const tools = (value.tools as readonly McpTool[]).map((tool, index) =>
    hasOutput.has(index) ? withSchemas(tool, schemas, index) : withInput(tool, schemas, index),
  );
  return { ...emptyCatalog, ...rest, tools };
}

// a literal each: defining the properties one by one takes longer than parsing a schema
function withInput(tool: McpTool, schemas: LazySchemas, index: number): McpTool {
  return {
    ...tool,
    get inputSchema() {
      return schemas.at(index).inputSchema;
    },
  };
}

function withSchemas(tool: McpTool, schemas: LazySchemas, index: number): McpTool {
  return {
    ...tool,
    get inputSchema() {
      return schemas.at(index).inputSchema;
    },
    get outputSchema() {
      return schemas.at(index).outputSchema ?? {};
    },
  };
}

/** The schemas of all tools of a catalog, parsed together when the first one is asked for. */
class LazySchemas {
  private parsed: readonly unknown[] | undefined;

  constructor(private text: string) {}

  at(index: number): Schemas {
    this.parsed ??= this.parse();
    const schemas = this.parsed[index];
    return isJsonObject(schemas) && isJsonObject(schemas.inputSchema)
      ? (schemas as JsonObject & Schemas)
      : noSchemas;
  }

  private parse(): readonly unknown[] {
    const value = parseJson(this.text);
    this.text = '';
    return asList(value);
  }
}
