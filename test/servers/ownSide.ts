/** A server as the product's core shows it, and its tools as a model gets them. */
import { join } from 'node:path';
import { defaultToolPolicy } from '../../src/agent/policy/toolPolicy.js';
import { ToolBridge } from '../../src/agent/tools/toolBridge.js';
import { errorMessage } from '../../src/base/errors.js';
import type { JsonObject } from '../../src/base/json.js';
import { countToolTokens, loadTokenCounter } from '../../src/mcp/catalog/tokens/tokenEstimate.js';
import type { McpServer } from '../../src/mcp/mcpApi.js';
import { createNodeHostEnvironment } from '../../src/platform/environment/nodeHostEnvironment.js';
import { CoreHarness, find } from '../helpers/coreHarness.js';
import {
  type Action,
  contentsOf,
  type Launch,
  type Outcome,
  requestMs,
  type Side,
  startMs,
} from './side.js';

/** A tool as a model gets it. */
export interface SentTool {
  readonly tool: string;
  readonly name: string;
  readonly tokens: number;
  /** With the server's own schema and description. */
  readonly givenTokens: number;
}

export interface OwnSide extends Side {
  readonly sent: readonly SentTool[];
  readonly notices: readonly string[];
  readonly connectMs: number;
}

const name = 'server';

/** @throws whatever keeps the server from being connected. */
export async function openOwnSide(launch: Launch): Promise<OwnSide> {
  const harness = await CoreHarness.create();
  try {
    await harness.writeGlobal({
      [name]: {
        command: process.execPath,
        args: [launch.script, ...launch.args],
        cwd: launch.cwd,
        env: launch.env,
        startupTimeoutMs: startMs,
        requestTimeoutMs: requestMs,
      },
    });
    const environment = createNodeHostEnvironment({
      homeDir: join(harness.root, 'home'),
      env: { PATH: process.env.PATH, HOME: launch.home },
    });
    const service = harness.open(undefined, { environment });
    await service.whenStarted();
    const server = find(service, name);
    await server.ensureConnected();
    const countTokens = await loadTokenCounter();
    const policy = defaultToolPolicy;
    const bridge = new ToolBridge({ service, folderUri: undefined, countTokens, policy });
    const { tools, resources, resourceTemplates, prompts, notices } = server.catalog.value;
    const plain = (items: readonly object[]) => items.map((item): JsonObject => ({ ...item }));
    const state = server.state.value;
    return {
      lists: {
        tools: plain(tools),
        resources: plain(resources),
        resourceTemplates: plain(resourceTemplates),
        prompts: plain(prompts),
      },
      notices,
      connectMs: state.kind === 'connected' ? Math.round(state.connectMs) : 0,
      sent: [...bridge.tools.values()].map(({ tool, source, definition }) => ({
        tool,
        name: definition.name,
        tokens: countToolTokens(
          { ...definition, inputSchema: { ...definition.parameters } },
          countTokens,
        ),
        givenTokens: countToolTokens({ ...source, name: definition.name }, countTokens),
      })),
      perform: (action) => perform(server, action),
      close: async () => {
        bridge.dispose();
        await harness.dispose();
      },
    };
  } catch (error) {
    await harness.dispose();
    throw error;
  }
}

async function perform(server: McpServer, action: Action): Promise<Outcome> {
  try {
    return { kind: 'result', value: await ask(server, action) };
  } catch (error) {
    return { kind: 'error', message: errorMessage(error) };
  }
}

async function ask(server: McpServer, action: Action): Promise<unknown> {
  switch (action.kind) {
    case 'call': {
      const { content, structuredContent, isError } = await server.callTool(
        action.name,
        action.args,
      );
      return { content, structuredContent, isError };
    }
    case 'prompt':
      return (await server.getPrompt(action.name, {})).messages;
    case 'read':
      return contentsOf(await server.readResource(action.name));
  }
}
