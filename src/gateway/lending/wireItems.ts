/** Items of catalogues as clients of the gateway read them. */
import type { JsonObject } from '../../base/json.js';
import { defined } from '../../base/json.js';
import type {
  McpIcon,
  McpPrompt,
  McpResource,
  McpResourceContents,
  McpResourceTemplate,
  McpTool,
  McpToolResult,
} from '../../mcp/mcpTypes.js';

export function toolItem(name: string, tool: McpTool): JsonObject {
  const { title, description, inputSchema, outputSchema, annotations, ui, icons } = tool;
  return defined({
    name,
    title,
    description,
    inputSchema: { type: 'object', ...inputSchema },
    outputSchema,
    annotations,
    icons: iconItems(icons),
    _meta: ui && { ui },
  });
}

export function resourceItem({ ui, icons, ...resource }: McpResource): JsonObject {
  return defined({ ...resource, icons: iconItems(icons), _meta: ui && { ui: appNeeds(ui) } });
}

export function templateItem({ icons, ...template }: McpResourceTemplate): JsonObject {
  return defined({ ...template, icons: iconItems(icons) });
}

export function promptItem(name: string, { icons, ...prompt }: McpPrompt): JsonObject {
  return defined({ ...prompt, name, icons: iconItems(icons) });
}

export function contentsItem({ ui, ...contents }: McpResourceContents): JsonObject {
  return defined({ ...contents, _meta: ui && { ui: appNeeds(ui) } });
}

export function toolResult({ content, structuredContent, isError }: McpToolResult): JsonObject {
  return defined({ content, structuredContent, isError: isError || undefined });
}

/** A call that did not reach its server: the model reads why. */
export function failedCall(text: string): JsonObject {
  return { content: [{ type: 'text', text }], isError: true };
}

function iconItems(icons: readonly McpIcon[] | undefined): readonly JsonObject[] | undefined {
  return icons?.map((icon) => ({ ...icon }));
}

/** As the extension for apps writes it. */
function appNeeds(ui: NonNullable<McpResource['ui']>): JsonObject {
  const { permissions, ...csp } = ui;
  return { csp, permissions: Object.fromEntries(permissions.map((one) => [one, {}])) };
}
