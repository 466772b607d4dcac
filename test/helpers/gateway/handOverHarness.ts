/** A folder of a whole core whose servers are handed over to an editor, as the window wires it. */
import { Emitter } from '../../../src/base/event.js';
import { FolderGateways } from '../../../src/gateway/folderGateways.js';
import { HandOvers } from '../../../src/gateway/handOvers.js';
import type { McpServer } from '../../../src/mcp/mcpApi.js';
import { FakeKept } from '../fakes/fakeKept.js';
import { GatewayHarness } from './gatewayHarness.js';

export class HandOverHarness {
  readonly gateways: FolderGateways;
  readonly handOvers: HandOvers;
  /** What the editor would remember. */
  readonly memory = new FakeKept();
  /** Tools that the user switched off. */
  readonly switchedOff = new Set<string>();
  readonly rulesChanged = new Emitter<void>();

  private constructor(readonly base: GatewayHarness) {
    const { service } = base;
    const rules = () => ({
      isToolLent: (_server: McpServer, tool: string) => !this.switchedOff.has(tool),
      onDidChange: this.rulesChanged.event,
    });
    this.gateways = new FolderGateways({
      service,
      version: '0.0.0',
      onError: (error) => base.errors.push(error),
      rules,
    });
    this.handOvers = new HandOvers({
      service,
      gateways: this.gateways,
      rules,
      onDidChangeRules: this.rulesChanged.event,
      memory: this.memory,
    });
  }

  /** @param servers of the folder, which is trusted */
  static async create(servers: Readonly<Record<string, unknown>>): Promise<HandOverHarness> {
    return new HandOverHarness(await GatewayHarness.create(servers));
  }

  get folderUri(): string {
    return this.base.folder.uri;
  }

  server(name: string): McpServer {
    const { service, folder } = this.base;
    const found = service.serversFor(folder.uri).find(({ definition }) => definition.name === name);
    if (!found) {
      throw new Error(`no server ${name}`);
    }
    return found;
  }

  /** As the user does it. */
  async handOver(...names: readonly string[]): Promise<void> {
    await this.gateways.start(this.folderUri);
    await this.handOvers.choose(
      this.folderUri,
      names.map((name) => this.server(name)),
      true,
    );
  }

  get labels(): readonly string[] {
    return this.handOvers.offered.map(({ label }) => label);
  }

  async dispose(): Promise<void> {
    await this.gateways.stopAll();
    this.handOvers.dispose();
    this.gateways.dispose();
    await this.base.dispose();
  }
}
