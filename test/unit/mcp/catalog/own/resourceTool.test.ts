import { describe, expect, it } from 'vitest';
import {
  callableTools,
  callResourceTool,
  resourceTool,
} from '../../../../../src/mcp/catalog/own/resourceTool.js';
import { mapToolResult } from '../../../../../src/mcp/catalog/results/toolResult.js';
import type { McpCatalog } from '../../../../../src/mcp/mcpTypes.js';
import { FakeServer, fakeDefinition } from '../../../../helpers/fakes/fakeMcp.js';

const resources = [{ uri: 'docs:///a', name: 'a', description: 'First.' }];
const resourceTemplates = [{ uriTemplate: 'docs:///{path}', name: 'any' }];

function serverWith(catalog: Partial<McpCatalog>, exposeResources = true): FakeServer {
  const definition = fakeDefinition('docs');
  const options = { ...definition.options, exposeResources };
  return new FakeServer({ ...definition, options }, { kind: 'idle' }, catalog);
}

describe('the tool for resources', () => {
  it('stands behind the tools of a server that has some', () => {
    const tools = [{ name: 'search', inputSchema: {} }];
    expect(callableTools(serverWith({ tools, resources })).map(({ name }) => name)).toEqual([
      'search',
      'read_resource',
    ]);
    expect(resourceTool(serverWith({ resourceTemplates }))?.name).toBe('read_resource');
  });

  it('is left out without resources, for pages of apps, and when the entry says so', () => {
    const page = [{ uri: 'ui://page', name: 'page' }];
    for (const server of [
      serverWith({}),
      serverWith({ resources: page }),
      serverWith({ resources }, false),
    ]) {
      expect(callableTools(server)).toEqual(server.catalog.value.tools);
    }
  });

  it('gives way to a tool of the server, and says the same whatever is listed', () => {
    const tools = [{ name: 'read_resource', inputSchema: {} }];
    expect(resourceTool(serverWith({ tools, resources }))?.name).toBe('read_mcp_resource');
    const [one, two] = [serverWith({ resources }), serverWith({ resources, resourceTemplates })];
    expect(resourceTool(one)).toEqual(resourceTool(two));
    expect(resourceTool(one)).toBe(resourceTool(one));
  });

  it('lists without a URI and reads with one', async () => {
    const asked: string[] = [];
    const server = Object.assign(serverWith({ resources, resourceTemplates }), {
      readResource: async (uri: string) => {
        asked.push(uri);
        return [{ uri, mimeType: 'text/plain', text: 'content' }];
      },
    });
    expect((await callResourceTool(server, {}, {})).content).toEqual([
      {
        type: 'text',
        text: 'docs:///a - a: First.\ndocs:///{path} - any (fill in the braces)',
      },
    ]);
    const result = await callResourceTool(server, { uri: 'docs:///a' }, {});
    expect(mapToolResult(result).content).toEqual([
      { type: 'text', text: '[resource docs:///a]\ncontent' },
    ]);
    expect(asked).toEqual(['docs:///a']);
  });
});
