import { type JsonObject, stableStringify } from '../../base/json.js';
import type {
  ConfigInput,
  FileProblem,
  McpPoolId,
  McpServerDefinition,
  WorkspaceFolder,
} from '../../config/definition.js';
import type { DiscoveredPool } from '../../config/discovery/discoveredPools.js';
import type { EntryOptions } from '../../config/parse/configTypes.js';
import type { McpPool } from '../mcpApi.js';
import type { FolderSwitch } from '../mcpTypes.js';
import type { DefaultMcpServer } from '../server/mcpServer.js';

export interface PoolChange {
  /** New servers, and servers whose changed launch should start again. */
  readonly toStart: readonly DefaultMcpServer[];
  /** Servers that are no longer declared; the caller disposes them. */
  readonly removed: readonly DefaultMcpServer[];
  /** New servers and those with a new launch: no catalog is known yet. */
  readonly unknown: readonly DefaultMcpServer[];
}

/** The servers of one {@link DiscoveredPool}, kept alive across changes of its files. */
export class DefaultMcpPool implements McpPool {
  private byName = new Map<string, DefaultMcpServer>();

  constructor(private discovered: DiscoveredPool) {}

  get id(): McpPoolId {
    return this.discovered.id;
  }

  get folder(): WorkspaceFolder | undefined {
    return this.discovered.folder;
  }

  get servers(): readonly DefaultMcpServer[] {
    return [...this.byName.values()];
  }

  get fileProblems(): readonly FileProblem[] {
    return this.discovered.fileProblems;
  }

  get files(): readonly string[] {
    return this.discovered.files;
  }

  get primaryFile(): string {
    return this.discovered.primaryFile;
  }

  get isMasterDisabled(): boolean {
    return this.discovered.isMasterDisabled;
  }

  get inputs(): readonly ConfigInput[] {
    return this.discovered.inputs;
  }

  get settings(): JsonObject {
    return this.discovered.settings;
  }

  find(name: string): DefaultMcpServer | undefined {
    return this.byName.get(name);
  }

  /** @param name default: of all names */
  named(name?: string): readonly DefaultMcpServer[] {
    if (name === undefined) {
      return this.servers;
    }
    const found = this.byName.get(name);
    return found ? [found] : [];
  }

  /** What switches a global server off for this folder; `undefined`: it is on. */
  switchOf(globalName: string): FolderSwitch | undefined {
    const deciding = this.discovered.outerOverrides.findLast(
      ({ name, enabled }) => name === globalName && enabled !== undefined,
    );
    return this.folder && deciding?.enabled === false
      ? { folderName: this.folder.name, path: deciding.origin.path }
      : undefined;
  }

  /** What this folder's files say about the use of a global server; `undefined`: nothing. */
  optionsFor(globalName: string): EntryOptions | undefined {
    const overrides = this.discovered.outerOverrides.filter(({ name }) => name === globalName);
    const options: EntryOptions = {};
    for (const override of overrides) {
      Object.assign(options, override.options);
    }
    return Object.keys(options).length > 0 ? options : undefined;
  }

  /** Takes over what the files say without touching any connection. {@link syncServers} follows. */
  adopt(discovered: DiscoveredPool): void {
    this.discovered = discovered;
  }

  /** Makes the servers match the adopted definitions; unchanged ones are not touched. */
  syncServers(create: (definition: McpServerDefinition) => DefaultMcpServer): PoolChange {
    const next = new Map<string, DefaultMcpServer>();
    const toStart: DefaultMcpServer[] = [];
    const unknown: DefaultMcpServer[] = [];
    for (const definition of this.discovered.definitions) {
      const existing = this.byName.get(definition.name);
      const server = existing ?? create(definition);
      if (
        existing &&
        !isSame(existing.definition, definition) &&
        existing.setDefinition(definition)
      ) {
        toStart.push(server);
      }
      if (!server.isCatalogKnown) {
        unknown.push(server);
      }
      next.set(definition.name, server);
    }
    const removed = [...this.byName.values()].filter((server) => !next.has(server.definition.name));
    this.byName = next;
    return { toStart, removed, unknown };
  }
}

function isSame(a: McpServerDefinition, b: McpServerDefinition): boolean {
  return a === b || stableStringify(a) === stableStringify(b);
}
