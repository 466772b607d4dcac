/** Tools as a person has them, made of what a server says and what the entry says in its place. Pure. */
import { defined, isJsonObject, type JsonObject } from '../../../base/json.js';
import type { McpServerOptions, ToolOverride } from '../../../config/definition.js';
import { overrideFor } from '../../../config/toolOverrides.js';
import type { McpCatalog, McpTool } from '../../mcpTypes.js';

/** Makes the same tool of the same two objects, since much is remembered by it. */
export class ToolOverrides {
  private readonly made = new WeakMap<
    McpTool,
    { readonly override: ToolOverride; readonly tool: McpTool }
  >();

  /** What was changed is in `replaced` as the server describes it. */
  apply(catalog: McpCatalog, overrides: McpServerOptions['toolOverrides']): McpCatalog {
    const replaced: McpTool[] = [];
    const tools = catalog.tools.map((tool) => {
      const override = overrideFor(overrides, tool.name);
      if (!override || !changesTool(override)) {
        return tool;
      }
      replaced.push(tool);
      return this.make(tool, override);
    });
    return replaced.length > 0 ? { ...catalog, tools, replaced } : catalog;
  }

  private make(tool: McpTool, override: ToolOverride): McpTool {
    const known = this.made.get(tool);
    if (known?.override === override) {
      return known.tool;
    }
    const made = overrideTool(tool, override);
    this.made.set(tool, { override, tool: made });
    return made;
  }
}

function changesTool({ hidden: _, ...changes }: ToolOverride): boolean {
  return Object.keys(changes).length > 0;
}

export function overrideTool(tool: McpTool, override: ToolOverride): McpTool {
  const { description = tool.description, descriptionPrefix, title, readOnly } = override;
  const text = [descriptionPrefix, description].filter(Boolean).join('\n');
  const names = new Set(Object.keys(override.arguments ?? {}));
  const annotations = { ...tool.annotations, ...defined({ title, readOnlyHint: readOnly }) };
  return {
    ...tool,
    ...defined({
      title,
      description: text === '' ? undefined : text,
      annotations: title === undefined && readOnly === undefined ? undefined : annotations,
    }),
    inputSchema: names.size > 0 ? withoutArguments(tool.inputSchema, names) : tool.inputSchema,
  };
}

/** What is filled in is nobody's to give, in no alternative either. */
function withoutArguments(schema: JsonObject, names: ReadonlySet<string>): JsonObject {
  const { properties, required } = schema;
  const without = (value: unknown): unknown =>
    isJsonObject(value) ? withoutArguments(value, names) : value;
  const alternatives = ['allOf', 'anyOf', 'oneOf'].flatMap((word) => {
    const list = schema[word];
    return Array.isArray(list) ? [[word, list.map(without)] as const] : [];
  });
  return {
    ...schema,
    ...defined({
      properties: isJsonObject(properties)
        ? Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name)))
        : undefined,
      required: Array.isArray(required) ? required.filter((name) => !names.has(name)) : undefined,
    }),
    ...Object.fromEntries(alternatives),
  };
}
