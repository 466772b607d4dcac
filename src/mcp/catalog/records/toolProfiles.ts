/** The profiles that there are, and which of them each folder uses. For whatever gives tools of servers to somebody. */
import { DisposableOwner } from '../../../base/disposable.js';
import { Emitter } from '../../../base/event.js';
import { asObject, isJsonObject, readEntries, stableStringify } from '../../../base/json.js';
import type { ObservableValue } from '../../../base/valueEmitter.js';
import { globalPoolId } from '../../../config/definition.js';
import {
  isInProfile,
  type PatternTarget,
  type ProfileSource,
  profileSources,
  readProfiles,
  type ToolProfile,
  unknownPatterns,
} from '../../../config/toolProfiles.js';
import type { KeptValue } from '../../../platform/ports.js';
import type { McpServer, McpService } from '../../mcpApi.js';
import type { McpCatalog } from '../../mcpTypes.js';
import { callableTools } from '../own/resourceTool.js';
import { ReadOnlyTools } from '../readOnlyTools.js';
import type { SwitchPlace } from './toolSwitches.js';

export type ChosenProfiles = Readonly<Record</* folder URI */ string, ProfileRef>>;

export interface ProfileRef {
  readonly source: ProfileSource;
  readonly name: string;
}

/** Of a folder. Without `profile` it is gone, or may not be read in Restricted Mode: then it leaves everything out. */
export interface ChosenProfile extends ProfileRef {
  readonly profile: ToolProfile | undefined;
}

export interface ToolProfilesOptions {
  readonly service: Pick<McpService, 'pools' | 'getPool' | 'serversFor' | 'onDidChangePools'> & {
    readonly trust: Pick<McpService['trust'], 'isWorkspaceTrusted' | 'onDidChange'>;
  };
  /** The user's own, as the setting of the editor holds them. */
  readonly own: ObservableValue<unknown>;
  /** What the user chose in this workspace. */
  readonly memory: KeptValue<ChosenProfiles>;
}

/** Of the window that has no folder. */
const noFolder = '';

export class ToolProfiles extends DisposableOwner {
  private readonly changeEmitter = this.store.add(new Emitter<void>());
  private readonly readers = new ReadOnlyTools();
  private readonly lists = new Map</* folder URI */ string, readonly ToolProfile[]>();
  /** Every row that is drawn asks, and the names of all tools are compared with all patterns. */
  private readonly unknown = new WeakMap<
    ToolProfile,
    { readonly seen: readonly McpCatalog[]; readonly patterns: readonly string[] }
  >();
  private chosen: ChosenProfiles;
  private said: string;

  /** What some folder uses, or what that means, is another. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(private readonly options: ToolProfilesOptions) {
    super();
    const { service, own, memory } = options;
    this.chosen = parseChosenProfiles(memory.recall());
    this.said = this.summary;
    const changed = () => this.announce();
    this.store.add(own.onDidChange(changed));
    this.store.add(service.onDidChangePools(changed));
    this.store.add(service.trust.onDidChange(changed));
  }

  /** Those that a folder can use, the user's first. @param folderUri `undefined`: see {@link active} */
  list(folderUri: string | undefined): readonly ToolProfile[] {
    const uri = this.keyOf(folderUri);
    const known = this.lists.get(uri);
    if (known) {
      return known;
    }
    const { service, own } = this.options;
    const files = service.getPool(globalPoolId)?.settings.profiles;
    const ofFolder = service.trust.isWorkspaceTrusted
      ? service.getPool(uri)?.settings.profiles
      : undefined;
    const merged = { ...(isJsonObject(files) && files), ...(isJsonObject(own.value) && own.value) };
    const list = [
      ...readProfiles(merged, 'user'),
      ...(uri === noFolder ? [] : readProfiles(ofFolder, 'folder')),
    ];
    this.lists.set(uri, list);
    return list;
  }

  /**
   * What the user chose; `undefined`: everything is in.
   * @param folderUri `undefined` for what is of no folder: in a window with one folder that one counts
   */
  active(folderUri: string | undefined): ChosenProfile | undefined {
    const uri = this.keyOf(folderUri);
    const ref = Object.hasOwn(this.chosen, uri) ? this.chosen[uri] : undefined;
    return ref && { ...ref, profile: this.find(folderUri, ref) };
  }

  find(folderUri: string | undefined, { source, name }: ProfileRef): ToolProfile | undefined {
    return this.list(folderUri).find((one) => one.source === source && one.name === name);
  }

  /** @param ref `undefined`: everything is in again */
  async choose(folderUri: string | undefined, ref: ProfileRef | undefined): Promise<void> {
    const uri = this.keyOf(folderUri);
    const others = Object.entries(this.chosen).filter(([one]) => one !== uri);
    const entry = ref && ([uri, { source: ref.source, name: ref.name }] as const);
    this.chosen = Object.fromEntries(entry ? [...others, entry] : others);
    this.announce();
    await this.options.memory.remember(this.chosen);
  }

  /** Whether the profile of the folder leaves the tool in. */
  allows(place: SwitchPlace): boolean {
    const active = this.active(place.folderUri);
    return !active || this.isIn(active.profile, place);
  }

  /** @param profile `undefined` leaves everything out */
  isIn(profile: ToolProfile | undefined, { folderUri, server, tool }: SwitchPlace): boolean {
    return (
      profile !== undefined &&
      isInProfile(profile, {
        server,
        tool,
        isReadOnly: () => {
          const found = this.options.service
            .serversFor(folderUri)
            .find(({ definition }) => definition.name === server);
          return found !== undefined && this.readers.has(found, tool);
        },
      })
    );
  }

  /** Patterns, as written, that mean no server and no tool there. */
  unknownPatterns(
    folderUri: string | undefined,
    profile: ToolProfile | undefined,
  ): readonly string[] {
    if (!profile) {
      return [];
    }
    const servers = this.options.service.serversFor(folderUri);
    const seen = servers.map(({ catalog }) => catalog.value);
    const known = this.unknown.get(profile);
    if (known?.seen.length === seen.length && seen.every((one, at) => one === known.seen[at])) {
      return known.patterns;
    }
    const patterns = unknownPatterns(profile, servers.map(patternTarget));
    this.unknown.set(profile, { seen, patterns });
    return patterns;
  }

  private keyOf(folderUri: string | undefined): string {
    if (folderUri !== undefined) {
      return folderUri;
    }
    const folders = this.options.service.pools.flatMap(({ folder }) => folder ?? []);
    return folders.length === 1 ? (folders[0]?.uri ?? noFolder) : noFolder;
  }

  private announce(): void {
    this.lists.clear();
    const said = this.summary;
    if (said !== this.said) {
      this.said = said;
      this.changeEmitter.fire();
    }
  }

  /** Everything that says which tools are in, and which profiles there are. */
  private get summary(): string {
    const folders = this.options.service.pools.map(({ folder }) => folder?.uri);
    return stableStringify([this.chosen, folders.map((uri) => this.list(uri))]);
  }
}

/** A list of tools that is empty may not have been read yet. */
export function patternTarget(server: McpServer): PatternTarget {
  const isRead = server.catalog.value.tools.length > 0;
  return {
    server: server.definition.name,
    tools: isRead ? callableTools(server).map(({ name }) => name) : undefined,
  };
}

/** Single ones that are not understood are left out. */
export function parseChosenProfiles(value: unknown): ChosenProfiles {
  return readEntries(value, (ref) => {
    const { source, name } = asObject(ref);
    const known = profileSources.find((one) => one === source);
    return known && typeof name === 'string' ? { source: known, name } : undefined;
  });
}
