import { stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import { groupBy } from '../../base/lists.js';
import { quotedName } from '../../base/text/nameToken.js';
import { realPathInFolder } from '../../platform/folderPath.js';
import type {
  EditableServer,
  FileChange,
  McpConfiguration,
  McpServerChange,
  McpServerEntry,
  NamePlace,
  NewServer,
  OverrideChange,
  PoolFile,
  ServerSwitch,
  StoredOverride,
  TransferTarget,
} from '../configuration.js';
import type {
  ConfigProblem,
  ImportSource,
  McpPoolId,
  McpServerDefinition,
  McpServerId,
} from '../definition.js';
import { assertUsable, serverUnknown, unusableFor } from '../errors.js';
import type { ConfigFileLocation } from '../parse/configLocations.js';
import { parseOwnFile } from '../parse/parseConfig.js';
import { redactEntry, redactOverride } from '../secrets/redact.js';
import { restoreSecrets } from '../secrets/secretMerge.js';
import { ConfigWriter } from './configWriter.js';
import { EditableConfig } from './editConfig.js';
import { withInputs } from './entryText.js';
import { changeOverride, overrideLocation, writtenOverride } from './overrideEdit.js';
import { type EditablePools, locationIn, validateEntry } from './poolFiles.js';
import { assertSameReach } from './secretReach.js';
import { type TransferFiles, type TransferHooks, transferServer } from './serverTransfer.js';

/** The one writer of configuration files, for every surface. Resolves when the pools show what was written. */
export class ConfigurationEditor implements McpConfiguration {
  private readonly writer = new ConfigWriter((path) => {
    this.hooks.onNotice?.(
      l10n.t('{0} holds a secret and could be read by others: now only you can.', path),
    );
  });

  constructor(
    private readonly pools: EditablePools,
    private readonly hooks: TransferHooks,
  ) {}

  /** @inheritdoc */
  async read(id: McpServerId, path?: string): Promise<EditableServer> {
    const definition = this.definition(id);
    const location = this.locationOf(definition, path);
    const config = await this.open(location);
    const entry = config.entry(definition.name)?.raw;
    if (!entry) {
      throw serverUnknown(definition.name);
    }
    return { name: definition.name, entry: redactEntry(entry) };
  }

  /** @inheritdoc */
  knownText(path: string): string | undefined {
    return this.pools.knownText(path);
  }

  /** @inheritdoc */
  async addServer(poolId: McpPoolId, name: string, entry: McpServerEntry): Promise<void> {
    await this.addServers(poolId, [{ name, entry }]);
  }

  /** @inheritdoc */
  async addServers(
    poolId: McpPoolId,
    servers: readonly NewServer[],
    file: PoolFile = 'primary',
  ): Promise<void> {
    await this.edit(this.location(poolId, file), this.addition(servers));
  }

  /** @inheritdoc */
  async previewAdd(
    poolId: McpPoolId,
    servers: readonly NewServer[],
    file: PoolFile = 'primary',
  ): Promise<FileChange> {
    const location = this.location(poolId, file);
    const config = await this.open(location);
    const { path } = location;
    return { path, before: config.text, after: this.addition(servers)(config).text };
  }

  /** @inheritdoc */
  async checkName(name: string, { poolId, file, id }: NamePlace): Promise<HumanError | undefined> {
    const renamed = id === undefined ? undefined : this.definition(id);
    if (renamed?.name === name) {
      return undefined;
    }
    const location = renamed ? this.locationOf(renamed) : this.location(poolId, file);
    const config = await this.open(location);
    return config.refusalOf(name) ?? unusableFor(this.validate(name, { command: name }));
  }

  /** @inheritdoc */
  async addImports(poolId: McpPoolId, sources: readonly ImportSource[]): Promise<void> {
    await this.edit(this.primary(poolId), (config) => config.addImports(sources));
  }

  /** @inheritdoc */
  async updateServer(id: McpServerId, change: McpServerChange): Promise<void> {
    const definition = this.definition(id);
    const location = this.locationOf(definition);
    const { name } = definition;
    await this.edit(location, (config) => {
      const stored = config.entry(name)?.raw ?? {};
      const restored = restoreSecrets(change.entry, stored, change.renamedKeys);
      const edited = withInputs(
        config.changeServer(name, restored, change.name),
        change.inputs ?? [],
      );
      const changed = edited.entry(change.name ?? name);
      assertSameReach(change.entry, stored, changed?.raw ?? {});
      assertUsable(changed?.problems ?? []);
      return edited;
    });
  }

  /** @inheritdoc */
  async readToolOverride(id: McpServerId, tool: string): Promise<StoredOverride> {
    const definition = this.definition(id);
    const location = await overrideLocation(this.pools, definition);
    const written = writtenOverride(await this.open(location), definition.name, tool);
    return { path: location.path, override: redactOverride(written) };
  }

  /** @inheritdoc */
  async updateToolOverride(
    id: McpServerId,
    tool: string,
    { override, inputs = [] }: OverrideChange,
  ): Promise<void> {
    const definition = this.definition(id);
    const location = await overrideLocation(this.pools, definition);
    await this.edit(location, (config) =>
      withInputs(changeOverride(config, definition.name, tool, override), inputs),
    );
  }

  /** @inheritdoc */
  async removeServer(id: McpServerId, path?: string): Promise<void> {
    const definition = this.definition(id);
    const location = this.locationOf(definition, path);
    const entry = (await this.open(location)).entry(definition.name)?.raw;
    await this.edit(location, (config) => config.removeServer(definition.name));
    await this.hooks.onMoved(entry, this.filesOf([definition.poolId]));
  }

  /** @inheritdoc */
  async transferServer(
    id: McpServerId,
    target: TransferTarget,
    path?: string,
  ): Promise<McpServerId> {
    const definition = this.definition(id);
    const from = this.locationOf(definition, path);
    const to = this.location(target.poolId, target.file);
    const files: TransferFiles = {
      open: (location) => this.open(location),
      edit: (location, change) => this.edit(location, change),
    };
    const entry = (await this.open(from)).entry(definition.name)?.raw;
    const moved = await transferServer(definition, { from, to }, target, {
      files,
      hooks: this.hooks,
    });
    await this.hooks.onMoved(entry, this.filesOf([definition.poolId, target.poolId]));
    return moved;
  }

  /** @inheritdoc */
  async setEnabled(id: McpServerId, isEnabled: boolean): Promise<void> {
    await this.setEnabledTogether([{ id, isEnabled }]);
  }

  /** @inheritdoc */
  async setEnabledTogether(switches: readonly ServerSwitch[]): Promise<void> {
    const located = await Promise.all(
      switches.map(async ({ id, isEnabled }) => {
        const { name } = this.definition(id);
        return { location: await this.switchLocation(this.definition(id)), name, isEnabled };
      }),
    );
    const files = [...groupBy(located, ({ location }) => location.path).values()];
    const edits = files.flatMap((inFile) => {
      const [first] = inFile;
      const change = (config: EditableConfig) =>
        inFile.reduce((edited, one) => edited.switchServer(one.name, one.isEnabled), config);
      return first ? [{ location: first.location, change }] : [];
    });
    // what cannot be edited is found out before anything is written
    for (const { location, change } of edits) {
      change(await this.open(location));
    }
    await this.pools.during(() => this.writer.writeAll(edits));
    await this.pools.reload();
  }

  /** @inheritdoc */
  async setEnabledInFolder(id: McpServerId, folderUri: string, isEnabled: boolean): Promise<void> {
    const { name } = this.definition(id);
    const locations = this.pools.locations(folderUri);
    // each file that switches it off has to let go, whatever its precedence
    for (let left = isEnabled ? locations.length : 1; left > 0; left--) {
      const deciding = await this.lastWith(locations, name);
      if (isEnabled && !deciding) {
        return;
      }
      await this.edit(deciding?.location ?? this.primary(folderUri), (config) =>
        config.entry(name)
          ? config.setEnabled(name, isEnabled)
          : config.override(name, { enabled: false }),
      );
    }
  }

  /** @inheritdoc */
  async setEnabledIn(
    id: McpServerId,
    folderUri: string,
    isEnabled: boolean,
    file: PoolFile,
  ): Promise<void> {
    const { name } = this.definition(id);
    const location = this.location(folderUri, file);
    const others = this.pools.locations(folderUri).filter(({ path }) => path !== location.path);
    const below = (await this.lastWith(others, name))?.isEnabled ?? true;
    await this.edit(location, (config) => {
      const switched = config.entry(name) ? config.setEnabled(name, isEnabled) : config;
      const entry = switched.entry(name);
      return (entry?.enabled ?? below) === isEnabled
        ? switched
        : switched.override(name, { ...entry?.raw, enabled: isEnabled });
    });
  }

  /** @inheritdoc */
  async setMasterDisabled(poolId: McpPoolId, isDisabled: boolean): Promise<void> {
    const primary = this.primary(poolId);
    const others = this.pools.locations(poolId).filter((item) => item.path !== primary.path);
    const texts = await Promise.all(others.map((item) => this.pools.readText(item)));
    const isLowerDisabled = others.some(
      (item, index) =>
        !item.isForeignFile && parseOwnFile(texts[index] ?? '', item).isMasterDisabled === true,
    );
    await this.edit(primary, (config) => config.setMasterDisabled(isDisabled, isLowerDisabled));
  }

  /** @inheritdoc */
  async readSettings(poolId: McpPoolId): Promise<JsonObject> {
    return (await this.open(this.primary(poolId))).settings;
  }

  /** @inheritdoc */
  async updateSettings(poolId: McpPoolId, change: JsonObject): Promise<void> {
    await this.edit(this.primary(poolId), (config) => {
      const edited = config.changeSettings(change);
      const known = config.parsed.problems.map(({ message }) => message);
      const wrong = edited.parsed.problems.find(
        ({ code, message }) => code === 'wrong-setting' && !known.includes(message),
      );
      if (wrong) {
        throw new HumanError(wrong.code, wrong.message, { remedy: wrong.remedy });
      }
      return edited;
    });
  }

  /** @inheritdoc */
  async ensureFile(poolId: McpPoolId): Promise<string> {
    const location = this.primary(poolId);
    const path =
      location.folder === undefined
        ? location.path
        : await realPathInFolder(location.folder, location.path);
    const exists = await stat(path).then(
      () => true,
      () => false,
    );
    if (!exists) {
      await this.edit(location, (config) => config.ensureServers());
    }
    return location.path;
  }

  /** @inheritdoc */
  validate(name: string, entry: McpServerEntry): readonly ConfigProblem[] {
    return validateEntry(name, entry);
  }

  private addition(servers: readonly NewServer[]): (config: EditableConfig) => EditableConfig {
    for (const { name, entry } of servers) {
      assertUsable(this.validate(name, entry));
    }
    return (config) =>
      servers.reduce(
        (edited, { name, entry, inputs = [] }) =>
          withInputs(edited.addServer(name, restoreSecrets(entry, undefined)), inputs),
        config,
      );
  }

  private async edit(
    location: ConfigFileLocation,
    change: (config: EditableConfig) => EditableConfig,
  ): Promise<void> {
    await this.writer.write({ location, change });
    await this.pools.reload();
  }

  private async open(location: ConfigFileLocation): Promise<EditableConfig> {
    return new EditableConfig((await this.pools.readText(location)) ?? '', location);
  }

  /** The file whose switch decides now, else the one that declares the server, else the one that we may write. */
  private async switchLocation(definition: McpServerDefinition): Promise<ConfigFileLocation> {
    const { poolId, name, origin } = definition;
    const locations = this.pools.locations(poolId);
    const ofDefinition = locations.findIndex((item) => item.path === origin.path);
    const candidates = locations.slice(Math.max(0, ofDefinition));
    const deciding = await this.lastWith(candidates, name);
    return deciding?.location ?? locations[ofDefinition] ?? this.primary(poolId);
  }

  /** What the file of highest precedence says that sets the switch of the server. */
  private async lastWith(
    locations: readonly ConfigFileLocation[],
    name: string,
  ): Promise<{ readonly location: ConfigFileLocation; readonly isEnabled: boolean } | undefined> {
    for (const location of locations.toReversed()) {
      const text = await this.pools.readText(location);
      const parsed = parseOwnFile(text ?? '', location);
      const entry = parsed.entries.find((item) => item.name === name);
      if (entry?.enabled !== undefined) {
        return { location, isEnabled: entry.enabled };
      }
    }
    return undefined;
  }

  private definition(id: McpServerId): McpServerDefinition {
    const definition = this.pools.find(id);
    if (!definition) {
      throw serverUnknown();
    }
    return definition;
  }

  /** @throws {HumanError} when the server lives in a file of another program. */
  private locationOf(
    { poolId, name, origin }: McpServerDefinition,
    path = origin.path,
  ): ConfigFileLocation {
    const found = this.pools.locations(poolId).find((item) => item.path === path);
    if (!found) {
      throw new HumanError(
        'server_imported',
        l10n.t(
          'Server {0} comes from {1}, which belongs to another program.',
          quotedName(name),
          path,
        ),
        { remedy: l10n.t('Change it there, or add a User server of that name.') },
      );
    }
    return found;
  }

  private filesOf(poolIds: readonly McpPoolId[]): readonly string[] {
    return poolIds.flatMap((id) => this.pools.locations(id).map(({ path }) => path));
  }

  private primary(poolId: McpPoolId): ConfigFileLocation {
    return this.location(poolId, 'primary');
  }

  /** @inheritdoc */
  location(poolId: McpPoolId, file: PoolFile): ConfigFileLocation {
    return locationIn(this.pools, poolId, file);
  }
}
