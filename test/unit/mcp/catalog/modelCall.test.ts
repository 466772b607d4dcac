import { expect, it } from 'vitest';
import { callModelTool, resultForModel } from '../../../../src/mcp/catalog/modelCall.js';
import { loadTokenCounter } from '../../../../src/mcp/catalog/tokens/tokenEstimate.js';
import { FakeServer, fakeDefinition } from '../../../helpers/fakes/fakeMcp.js';

const countTokens = await loadTokenCounter();
const resources = [{ uri: 'docs:///a', name: 'a' }];
const tools = [{ name: 'search', inputSchema: {} }];
const text = (value: string) => ({ content: [{ type: 'text', text: value }], isError: false });

it('calls tools by their name, and what reads resources by its own', async () => {
  const called: unknown[] = [];
  const server = Object.assign(
    new FakeServer(fakeDefinition('docs'), { kind: 'idle' }, { tools, resources }),
    {
      callTool: async (...call: readonly unknown[]) => {
        called.push(call);
        return text('found');
      },
      readResource: async (uri: string) => [{ uri, text: 'content' }],
    },
  );
  const options = { signal: new AbortController().signal };
  expect(await callModelTool(server, 'search', { query: 'a' }, options)).toEqual(text('found'));
  const read = await callModelTool(server, 'read_resource', { uri: 'docs:///a' }, options);
  expect(read.content).toEqual([
    { type: 'resource', resource: { uri: 'docs:///a', text: 'content' } },
  ]);
  expect(called).toEqual([['search', { query: 'a' }, options]]);
});

it('writes and cuts a result as the settings say', async () => {
  const server = new FakeServer(fakeDefinition('docs'), { kind: 'idle' });
  const rows = JSON.stringify(Array.from({ length: 20 }, (_, id) => ({ id, name: `row ${id}` })));
  const shown = async (settings: { readonly [key: string]: unknown }) =>
    (await resultForModel(text(rows), server, settings, countTokens)).content[0];
  expect(await shown({})).toEqual({ type: 'text', text: rows });
  expect(await shown({ toonEncode: ['other'] })).toEqual({ type: 'text', text: rows });
  expect(await shown({ toonEncode: ['docs'] })).toMatchObject({
    text: expect.stringMatching(/^\[20\]\{id,name\}:/),
  });
  expect(await shown({ truncation: { maxChars: 100 } })).toMatchObject({
    text: expect.stringMatching(/^MCP_RESULT_TRUNCATED/),
  });
});
