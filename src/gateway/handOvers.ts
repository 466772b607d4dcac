/** The servers of folders that the user hands over to the editor's own agent, which then has them from the gateway. */
import { DisposableOwner } from '../base/disposable.js';
import { Emitter, type Event } from '../base/event.js';
import { asString, readEntries } from '../base/json.js';
import { showHiddenInLine } from '../base/text/showHidden.js';
import { digest, hashOf } from '../config/launch/launchHash.js';
import { isFolderLayer } from '../config/parse/configLocations.js';
import type { McpServer, McpService } from '../mcp/mcpApi.js';
import { isBlocked } from '../mcp/stateKinds.js';
import type { KeptValue } from '../platform/ports.js';
import type { FolderGateways } from './folderGateways.js';
import type { LendingRules } from './lending/lentServers.js';

/** Folder URI → server name → what was chosen; see {@link HandOvers.isChosen}. */
export type HandOverChoices = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A server as the editor is told of it. Without a secret. */
export interface HandedServer {
  readonly folderUri: string;
  readonly name: string;
  /** Of no other one, and of no server that the folder declares. */
  readonly label: string;
  /** The gateway's address of this server alone. */
  readonly url: string;
  /** Another one whenever what it lends is. */
  readonly version: string;
}

export interface HandOverOptions {
  readonly service: Pick<
    McpService,
    'pools' | 'serversFor' | 'onDidChangePools' | 'onDidChangeServer'
  > & { readonly trust: Pick<McpService['trust'], 'isWorkspaceTrusted' | 'onDidChange'> };
  readonly gateways: Pick<FolderGateways, 'get' | 'onDidChange' | 'onWillEnd'>;
  /** What narrows that gateway. */
  readonly rules: (folderUri: string) => LendingRules;
  readonly onDidChangeRules: Event<void>;
  /** What the user chose in this workspace. */
  readonly memory: KeptValue<HandOverChoices>;
}

export class HandOvers extends DisposableOwner {
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly offerEmitter = this.store.add(new Emitter<void>());
  /** What is chosen, or what is offered, is another. */
  readonly onDidChange = this.changeEmitter.event;
  /** {@link offered} is another; before a gateway ends, what it serves is gone from there. */
  readonly onDidChangeOffered = this.offerEmitter.event;
  private choices: HandOverChoices;
  private current: readonly HandedServer[] = [];

  constructor(private readonly options: HandOverOptions) {
    super();
    const { service, gateways, memory } = options;
    this.choices = readEntries(memory.recall(), (servers) => readEntries(servers, asString));
    const look = () => this.look();
    this.store.add(service.onDidChangePools(look));
    this.store.add(
      service.onDidChangeServer(({ definition }) => {
        if (this.isNamed(definition.name)) {
          this.look();
        }
      }),
    );
    this.store.add(service.trust.onDidChange(look));
    this.store.add(gateways.onWillEnd(look));
    this.store.add(gateways.onDidChange(look));
    this.store.add(options.onDidChangeRules(look));
  }

  /** What the editor gets now: nothing of a folder whose gateway does not run. */
  get offered(): readonly HandedServer[] {
    return this.current;
  }

  /**
   * The user handed it over. What a file of the folder declares was handed over as it was then: an entry that starts
   * something else under the same name is nobody's choice.
   */
  isChosen(folderUri: string, { definition }: Pick<McpServer, 'definition'>): boolean {
    const ofFolder = Object.hasOwn(this.choices, folderUri) ? this.choices[folderUri] : undefined;
    const { name } = definition;
    const chosen = ofFolder && Object.hasOwn(ofFolder, name) ? ofFolder[name] : undefined;
    return (
      chosen !== undefined &&
      (!isFolderLayer(definition.origin.layer) || chosen === hashOf(definition))
    );
  }

  /** The folders for whose gateway it is chosen. */
  foldersOf(server: McpServer): readonly string[] {
    return this.options.service.pools.flatMap(({ folder }) =>
      folder && this.isChosen(folder.uri, server) && this.uses(folder.uri, server)
        ? [folder.uri]
        : [],
    );
  }

  isOffered(folderUri: string, { definition }: McpServer): boolean {
    return this.current.some((one) => one.folderUri === folderUri && one.name === definition.name);
  }

  /** `waiting`: the user handed it over, and no gateway lends it now. `undefined`: it is not handed over. */
  stateOf(server: McpServer): 'offered' | 'waiting' | undefined {
    const folders = this.foldersOf(server);
    if (folders.length === 0) {
      return undefined;
    }
    return folders.some((uri) => this.isOffered(uri, server)) ? 'offered' : 'waiting';
  }

  /** Hands them over, or takes them back. Starts nothing. */
  async choose(
    folderUri: string,
    servers: readonly Pick<McpServer, 'definition'>[],
    isHandedOver: boolean,
  ): Promise<void> {
    const known = Object.hasOwn(this.choices, folderUri) ? this.choices[folderUri] : {};
    const names = new Set(servers.map(({ definition }) => definition.name));
    const others = Object.entries(known ?? {}).filter(([name]) => !names.has(name));
    const added = isHandedOver
      ? servers.map(({ definition }) => [definition.name, hashOf(definition)] as const)
      : [];
    const ofFolder = Object.fromEntries([...others, ...added]);
    const rest = Object.entries(this.choices).filter(([uri]) => uri !== folderUri);
    this.choices = Object.fromEntries(
      Object.keys(ofFolder).length === 0 ? rest : [...rest, [folderUri, ofFolder] as const],
    );
    this.look();
    this.changeEmitter.fire();
    await this.options.memory.remember(this.choices);
  }

  /** What the editor needs to connect to one that is offered now; `undefined`: it may not. */
  access(label: string): { readonly server: HandedServer; readonly token: string } | undefined {
    this.look();
    const server = this.current.find((one) => one.label === label);
    const gateway = server && this.options.gateways.get(server.folderUri);
    return gateway && { server, token: gateway.tokens.use };
  }

  private isNamed(name: string): boolean {
    return Object.values(this.choices).some((ofFolder) => Object.hasOwn(ofFolder, name));
  }

  private uses(folderUri: string, { id }: McpServer): boolean {
    return this.options.service.serversFor(folderUri).some((one) => one.id === id);
  }

  private look(): void {
    const before = JSON.stringify(this.current);
    this.current = this.read();
    if (JSON.stringify(this.current) !== before) {
      this.offerEmitter.fire();
      this.changeEmitter.fire();
    }
  }

  private read(): readonly HandedServer[] {
    const { service, gateways, rules } = this.options;
    if (!service.trust.isWorkspaceTrusted) {
      return [];
    }
    const names = service.pools.flatMap(({ servers }) =>
      servers.map(({ definition }) => definition.name),
    );
    const labels = new Set(names);
    return service.pools.flatMap(({ folder }) => {
      const gateway = folder && gateways.get(folder.uri);
      if (!folder || !gateway || gateway.isEnding) {
        return [];
      }
      return service
        .serversFor(folder.uri)
        .filter((server) => this.isChosen(folder.uri, server) && !isBlocked(server.state.value))
        .map((server) => ({
          folderUri: folder.uri,
          name: server.definition.name,
          label: ownLabel(server.definition.name, labels),
          url: `${gateway.url}/${encodeURIComponent(server.definition.name)}`,
          version: versionOf(server, rules(folder.uri)),
        }));
    });
  }
}

/** The editor keeps one of two servers with equal labels, and an entry of a repository could be the one. */
function ownLabel(name: string, taken: Set<string>): string {
  const shown = showHiddenInLine(name);
  let label = `${shown} (Pi MCP)`;
  for (let count = 2; taken.has(label); count++) {
    label = `${shown} (Pi MCP ${count})`;
  }
  taken.add(label);
  return label;
}

function versionOf(server: McpServer, { isToolLent }: LendingRules): string {
  const { tools, prompts, resources, resourceTemplates, instructions } = server.catalog.value;
  const lent = tools.filter(({ name }) => isToolLent?.(server, name) ?? true);
  return digest(JSON.stringify([lent, prompts, resources, resourceTemplates, instructions]));
}
