import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { globalPoolId, serverId } from '../../../src/config/definition.js';
import type { McpServer, McpService } from '../../../src/mcp/mcpApi.js';
import { repository } from '../../workbench/paths.mjs';
import { type AgentHarness, createAgentHarness } from '../fakes/agentHarness.js';
import { createFileTree } from './fileTree.js';
import { Scene } from './scene.js';

/** What a server says, beside the usual; see `test/fixtures/servers/scripted.mjs`. */
export interface ServerScript {
  readonly results: Readonly<Record<string, object>>;
  readonly first?: Readonly<Record<string, readonly object[]>>;
}

export interface ClientMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

/** The user's own server `hostile`, connected, whose words are those of a script; beside it a good one, `fine`. */
export class ScriptedServer {
  private constructor(
    readonly scene: Scene,
    readonly server: McpServer,
    private readonly recordPath: string,
  ) {}

  /**
   * Of a test, with which it ends.
   * @param script as text for what an object cannot hold, such as keys called `__proto__`
   */
  static async create(script: (scene: Scene) => ServerScript | string): Promise<ScriptedServer> {
    const scene = await Scene.create('no consent', () => ({}));
    const { core } = scene;
    const text = script(scene);
    await createFileTree(core.root, { 'script.json': text });
    const program = join(repository, 'test/fixtures/servers/scripted.mjs');
    const recordPath = join(core.root, 'record');
    const launch = {
      command: process.execPath,
      args: [program, join(core.root, 'script.json'), recordPath],
    };
    await core.writeGlobal({ hostile: launch, fine: scene.ran.launch('fine') });
    await scene.service.reload();
    const server = scene.service.getServer(serverId(globalPoolId, 'hostile'));
    if (!server) {
      throw new Error('The server was not read');
    }
    await server.ensureConnected();
    return new ScriptedServer(scene, server, recordPath);
  }

  get service(): McpService {
    return this.scene.service;
  }

  /** Everything that the client said to the server, in order. */
  async heard(): Promise<readonly ClientMessage[]> {
    const text = await readFile(this.recordPath, 'utf8');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  /** The other server still works. */
  async isFineAlive(): Promise<boolean> {
    const fine = this.service.getServer(serverId(globalPoolId, 'fine'));
    const result = await fine?.callTool('echo', { message: 'alive' });
    return result?.content[0]?.text === 'alive';
  }

  /** A conversation that may use the server. */
  async converse(): Promise<AgentHarness> {
    const agent = await createAgentHarness({ service: this.service });
    onTestFinished(() => agent.dispose());
    return agent;
  }
}
