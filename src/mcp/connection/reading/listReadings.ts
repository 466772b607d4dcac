import type { McpPrompt, McpResource, McpResourceTemplate, McpTool } from '../../mcpTypes.js';
import { parsePrompt, parseResource, parseResourceTemplate, parseTool } from './parseItems.js';
import type { ListReading } from './readList.js';

export const toolList: ListReading<McpTool> = {
  method: 'tools/list',
  key: 'tools',
  parse: parseTool,
  identify: (tool) => tool.name,
};

export const resourceList: ListReading<McpResource> = {
  method: 'resources/list',
  key: 'resources',
  parse: parseResource,
  identify: (resource) => resource.uri,
};

export const templateList: ListReading<McpResourceTemplate> = {
  method: 'resources/templates/list',
  key: 'resourceTemplates',
  parse: parseResourceTemplate,
  identify: (template) => template.uriTemplate,
};

export const promptList: ListReading<McpPrompt> = {
  method: 'prompts/list',
  key: 'prompts',
  parse: parsePrompt,
  identify: (prompt) => prompt.name,
};
