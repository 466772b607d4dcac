/** A server as the official SDK shows it, with lists as they are on the wire. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { errorMessage } from '../../src/base/errors.js';
import { isJsonObject, type JsonObject } from '../../src/base/json.js';
import {
  type Action,
  contentsOf,
  type Launch,
  type Outcome,
  requestMs,
  type Side,
  startMs,
} from './side.js';

const options = { timeout: requestMs };

/** @throws whatever keeps the server from being listed. */
export async function openRawSide(launch: Launch): Promise<Side> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launch.script, ...launch.args],
    cwd: launch.cwd,
    env: { PATH: process.env.PATH ?? '', HOME: launch.home, ...launch.env },
    stderr: 'ignore',
  });
  // some servers repeat the name, and offer more to whoever has folders, as the product says that it does
  const client = new Client(
    { name: 'pi-mcp', version: '0.0.0' },
    { capabilities: { roots: { listChanged: true } } },
  );
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
  try {
    await client.connect(transport, { timeout: startMs });
    const has = client.getServerCapabilities() ?? {};
    const lists = {
      tools: has.tools ? await readAll(client, 'tools/list', 'tools') : [],
      resources: has.resources ? await readAll(client, 'resources/list', 'resources') : [],
      resourceTemplates: has.resources
        ? await readAll(client, 'resources/templates/list', 'resourceTemplates')
        : [],
      prompts: has.prompts ? await readAll(client, 'prompts/list', 'prompts') : [],
    };
    return {
      lists,
      perform: (action) => perform(client, action),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Empty where the server fails to list, or does not know how to. */
async function readAll(client: Client, method: string, key: string): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  let cursor: string | undefined;
  try {
    do {
      const params = cursor === undefined ? {} : { cursor };
      const page: JsonObject = await client.request({ method, params }, ResultSchema, options);
      const listed = page[key];
      items.push(...(Array.isArray(listed) ? listed.filter(isJsonObject) : []));
      cursor = typeof page.nextCursor === 'string' ? page.nextCursor : undefined;
    } while (cursor !== undefined);
  } catch (error) {
    if (key === 'tools') {
      throw error;
    }
  }
  return items;
}

async function perform(client: Client, action: Action): Promise<Outcome> {
  try {
    return { kind: 'result', value: await ask(client, action) };
  } catch (error) {
    return { kind: 'error', message: errorMessage(error) };
  }
}

async function ask(client: Client, action: Action): Promise<unknown> {
  switch (action.kind) {
    case 'call': {
      const params = { name: action.name, arguments: { ...action.args } };
      const { content, structuredContent, isError } = await client.callTool(
        params,
        undefined,
        options,
      );
      return { content, structuredContent, isError: isError === true };
    }
    case 'prompt':
      return (await client.getPrompt({ name: action.name, arguments: {} }, options)).messages;
    case 'read':
      return contentsOf((await client.readResource({ uri: action.name }, options)).contents);
  }
}
