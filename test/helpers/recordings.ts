/** Recordings of real servers, as the Inspector exports them, and clients of what is made of them. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { McpServer } from '../../src/mcp/mcpApi.js';
import { exportRecording } from '../../src/mcp/traffic/recordingFile.js';
import { type CoreHarness, find } from './coreHarness.js';

interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** Connects a server of each launch, uses it and keeps what passed. @returns the files, by name */
export async function recordServers<Name extends string>(
  harness: CoreHarness,
  servers: Readonly<Record<Name, Launch>>,
  use: Readonly<Record<Name, (server: McpServer) => Promise<void>>>,
): Promise<Readonly<Record<Name, string>>> {
  await harness.writeGlobal(servers);
  const core = harness.open();
  await core.whenStarted();
  const names = Object.keys(servers) as Name[];
  const files = names.map(async (name) => {
    const server = find(core, name);
    const recording = core.traffic.of(server.id);
    const watch = recording.watch();
    await server.ensureConnected();
    await use[name](server);
    const path = join(harness.root, `${name}.jsonl`);
    await writeFile(path, await exportRecording(name, recording, Date.now()));
    watch.dispose();
    return [name, path] as const;
  });
  return Object.fromEntries(await Promise.all(files)) as Record<Name, string>;
}

/** A client of the official SDK, of a server in a process of its own. */
export async function connectTo({ command, args }: Launch, cwd?: string): Promise<Client> {
  // some servers have tools for those that have folders alone
  const client = new Client({ name: 'tester', version: '1' }, { capabilities: { roots: {} } });
  await client.connect(
    new StdioClientTransport({ command, args: [...args], stderr: 'ignore', ...(cwd && { cwd }) }),
  );
  return client;
}

/** Everything that a server lists, and how it introduces itself. */
export async function listAll(client: Client) {
  const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
  return {
    serverInfo: client.getServerVersion(),
    instructions: client.getInstructions(),
    tools: tools && (await client.listTools()).tools,
    prompts: prompts && (await client.listPrompts()).prompts,
    resources: resources && (await client.listResources()).resources,
    templates: resources && (await client.listResourceTemplates()).resourceTemplates,
  };
}
