import * as l10n from '@vscode/l10n';
import { defined, type JsonObject } from '../../base/json.js';
import { addAll, groupBy } from '../../base/lists.js';
import { nameToken } from '../../base/text/nameToken.js';
import {
  type ConfigInput,
  type ConfigOrigin,
  type ConfigProblem,
  configLayers,
  globalPoolId,
  type McpPoolId,
  type McpServerDefinition,
  type McpServerOptions,
  serverId,
  type WorkspaceFolder,
} from '../definition.js';
import type { FieldTable } from '../schema/field.js';
import { entryFields, optionDefaults } from '../schema/fields.js';
import { settingTable, withoutSafetySettings } from '../schema/settings.js';
import { joinOverrides, onlyHidden } from '../toolOverrides.js';
import {
  type EntryOptions,
  type ParsedConfigFile,
  type ParsedEntry,
  toOptions,
} from './configTypes.js';
import { missingKind } from './parseEntry.js';

export interface MergeOptions {
  readonly poolId: McpPoolId;
  /** `undefined` for the global pool. */
  readonly folder: WorkspaceFolder | undefined;
  /**
   * Servers of the user by name, for a folder: entries of switches may refer to them, and declarations hide them while
   * they may run. Default: none.
   */
  readonly outerOrigins?: ReadonlyMap<string, ConfigOrigin>;
  /** Settings under those of the files, for what entries leave open: the user's, for a folder. Default: none. */
  readonly outerSettings?: JsonObject;
  /** Default: those of the product. */
  readonly fields?: FieldTable;
}

/** Switches that a folder's file sets on a server of the global pool. */
export interface OuterOverride {
  readonly name: string;
  readonly enabled: boolean | undefined;
  readonly options: EntryOptions;
  readonly origin: ConfigOrigin;
}

export interface MergedConfig {
  /** Ordered by the lowest file that declares the name, then in file order. */
  readonly definitions: readonly McpServerDefinition[];
  readonly outerOverrides: readonly OuterOverride[];
  readonly isMasterDisabled: boolean;
  /** Without the safety settings of project files. */
  readonly settings: JsonObject;
  readonly inputs: readonly ConfigInput[];
}

/** Merges the files of one pool with the precedence of {@link configLayers}. Pure. */
export function mergeConfig(
  files: readonly ParsedConfigFile[],
  options: MergeOptions,
): MergedConfig {
  const sorted = files.toSorted((a, b) => layerIndex(a) - layerIndex(b));
  const settings = mergeSettings(sorted, options);
  const fields = options.fields ?? entryFields;
  const defaults: EntryOptions = {
    ...optionDefaults(fields),
    ...optionsOf({ ...options.outerSettings, ...settings }, fields),
  };
  const declared = groupBy(
    sorted.flatMap((file) => file.entries.map((entry) => ({ entry, file }))),
    ({ entry }) => entry.name,
  );
  const definitions: McpServerDefinition[] = [];
  const outerOverrides: OuterOverride[] = [];
  for (const [name, entries] of declared) {
    const base = entries.findLastIndex(({ entry }) => entry.kind !== 'overrides');
    if (base === -1 && options.outerOrigins?.has(name)) {
      addAll(outerOverrides, entries.map(toOuterOverride));
    } else if (base !== -1 || entries.some(({ file }) => file.layer !== 'import')) {
      // of another program's switches for a server that only it has, nothing follows
      definitions.push(mergeEntries(name, entries, base, defaults, options));
    }
  }
  return {
    definitions,
    outerOverrides,
    isMasterDisabled:
      sorted.findLast((file) => file.isMasterDisabled !== undefined)?.isMasterDisabled ?? false,
    settings,
    inputs: sorted.flatMap((file) => file.inputs),
  };
}

interface DeclaredEntry {
  readonly entry: ParsedEntry;
  readonly file: ParsedConfigFile;
}

/** @param base index of the entry that says what runs; -1 when all only override. */
function mergeEntries(
  name: string,
  entries: readonly DeclaredEntry[],
  base: number,
  defaults: EntryOptions,
  { poolId, folder, outerOrigins }: MergeOptions,
): McpServerDefinition {
  const outer = outerOrigins?.get(name);
  const effective = entries.slice(Math.max(base, 0));
  const [declaring] = effective;
  const rootsFile = effective.findLast(({ entry }) => entry.options.roots !== undefined)?.file;
  const orphan = base === -1 && declaring ? [missingKind(name, declaring.entry.nameRange)] : [];
  return {
    id: serverId(poolId, name),
    poolId,
    scope: poolId === globalPoolId ? 'global' : 'folder',
    name,
    folder,
    origin: declaring ? originOf(declaring) : unreachableOrigin,
    hides: [
      ...entries.slice(0, Math.max(base, 0)).reverse().map(originOf),
      ...(outer ? [outer] : []),
    ],
    launch: base === -1 ? undefined : declaring?.entry.launch,
    enabled: effective.findLast(({ entry }) => entry.enabled !== undefined)?.entry.enabled ?? true,
    options: mergeOptions(
      defaults,
      effective.map(({ entry, file }) =>
        isOfUser(file, folder) ? entry.options : withoutLeave(entry.options),
      ),
    ),
    hasRootsOfUser: rootsFile && isOfUser(rootsFile, folder) ? true : undefined,
    problems: [
      ...effective.flatMap(({ entry }) => entry.problems),
      ...effective.flatMap(({ entry, file }) =>
        isOfUser(file, folder) ? [] : leaveProblem(entry),
      ),
      ...orphan,
    ],
  };
}

/** An `eager` server stays connected unless its own entry says after which time it stops. */
function mergeOptions(defaults: EntryOptions, own: readonly EntryOptions[]): McpServerOptions {
  const merged = { ...defaults } as McpServerOptions & EntryOptions;
  for (const options of own) {
    const toolOverrides = joinOverrides(merged.toolOverrides, options.toolOverrides);
    Object.assign(merged, options);
    Object.assign(merged, defined({ toolOverrides }));
  }
  const isTimed = own.some(({ idleTimeout }) => idleTimeout !== undefined);
  return merged.lifecycle === 'eager' && !isTimed ? { ...merged, idleTimeout: 0 } : merged;
}

/** A file of the folder can have changed definitions held back, never let through, and tools hidden, never changed. */
function withoutLeave({ definitions, toolOverrides, ...options }: EntryOptions): EntryOptions {
  return {
    ...options,
    ...defined({
      definitions: definitions === 'hold' ? definitions : undefined,
      toolOverrides: toolOverrides && onlyHidden(toolOverrides),
    }),
  };
}

function leaveProblem({
  name,
  options,
  nameRange,
  ofUser = [],
}: ParsedEntry): readonly ConfigProblem[] {
  const isLeave = options.definitions !== undefined && options.definitions !== 'hold';
  const places = [...(isLeave ? [{ place: 'definitions', range: nameRange }] : []), ...ofUser];
  return places.map(({ place, range }) => ({
    code: 'ignored-field',
    severity: 'info',
    message: l10n.t('"{0}" counts only in User files.', nameToken(place)),
    remedy: l10n.t('Remove it.'),
    range,
    server: name,
  }));
}

// groups are never empty; this keeps the type honest without an assertion
const unreachableOrigin: ConfigOrigin = { layer: 'import', path: '' };

function originOf({ entry, file }: DeclaredEntry): ConfigOrigin {
  const { nameRange, line } = entry;
  return { layer: file.layer, path: file.path, nameRange, line };
}

function toOuterOverride(declared: DeclaredEntry): OuterOverride {
  const { name, enabled, options } = declared.entry;
  return { name, enabled, options, origin: originOf(declared) };
}

/** What the folder's files cannot have written. */
function isOfUser({ layer }: ParsedConfigFile, folder: WorkspaceFolder | undefined): boolean {
  return !folder || layer === 'local';
}

function mergeSettings(files: readonly ParsedConfigFile[], { folder }: MergeOptions): JsonObject {
  // never by assignment: a setting called `__proto__` would become one
  return Object.fromEntries(
    files.flatMap((file) =>
      Object.entries(isOfUser(file, folder) ? file.settings : withoutSafetySettings(file.settings)),
    ),
  );
}

/** Defaults of the pool for what its entries leave open. Types were checked when the file was read. */
function optionsOf(settings: JsonObject, entry: FieldTable): EntryOptions {
  const shared = settingTable(entry).fields.filter(
    ({ name }) => entry.find(name)?.role === 'switch',
  );
  return toOptions(shared.map(({ name }) => [name, settings[name]] as const));
}

function layerIndex(file: ParsedConfigFile): number {
  return configLayers.indexOf(file.layer);
}
