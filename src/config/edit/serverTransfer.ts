/** Takes a declaration from one file to another, and never loses it on the way. */
import type { JsonObject } from '../../base/json.js';
import type { TransferTarget } from '../configuration.js';
import type { McpServerDefinition, McpServerId } from '../definition.js';
import { serverId } from '../definition.js';
import { assertUsable, serverUnknown } from '../errors.js';
import { assertNothingSecret } from '../lint/sharedSecrets.js';
import { type ConfigFileLocation, isFolderLayer } from '../parse/configLocations.js';
import { missingKind } from '../parse/parseEntry.js';
import { assertRootsInside } from '../roots/rootFolders.js';
import type { EditableConfig } from './editConfig.js';
import { inputIdsOf, readEntryText, removeEntryText, writeEntryText } from './entryText.js';

/** What edits, most of all a transfer, need of the floors above. */
export interface TransferHooks {
  readonly homeDir: string;
  /** Gets what the user should know of a change that was asked for, as a sentence. Default: nobody reads it. */
  readonly onNotice?: ((sentence: string) => void) | undefined;
  /** @throws {HumanError} while what the definition would run waits for the consent of the user. */
  assertConsented(definition: McpServerDefinition): void;
  /** An entry has left its file, or has got a copy. Never rejects. @param files that may hold more like it */
  onMoved(entry: JsonObject | undefined, files: readonly string[]): Promise<void>;
  /** Copies what is stored for the server beside its file. */
  carry(carried: CarriedServer): Promise<CarriedSecrets>;
}

export interface CarriedServer {
  readonly from: McpServerDefinition;
  readonly to: McpServerId;
  readonly toPool: string;
  readonly inputIds: readonly string[];
  /** The old one stays, and with it what cannot be in two places. */
  readonly isCopy: boolean;
}

interface CarriedSecrets {
  /** The old one stays after all. */
  takeBack(): Promise<void>;
  /** The old one is gone. */
  forgetOld(): Promise<void>;
}

export interface TransferFiles {
  open(location: ConfigFileLocation): Promise<EditableConfig>;
  edit(
    location: ConfigFileLocation,
    change: (config: EditableConfig) => EditableConfig,
  ): Promise<void>;
}

/** @returns the id of the server where it is now. */
export async function transferServer(
  definition: McpServerDefinition,
  places: { readonly from: ConfigFileLocation; readonly to: ConfigFileLocation },
  target: TransferTarget,
  { files, hooks }: { readonly files: TransferFiles; readonly hooks: TransferHooks },
): Promise<McpServerId> {
  const { from, to } = places;
  const { name: oldName } = definition;
  const name = target.name ?? oldName;
  const source = await files.open(from);
  const entry = source.entry(oldName);
  if (!entry) {
    throw serverUnknown(oldName);
  }
  const orphan = entry.kind === 'overrides' ? [missingKind(oldName, entry.nameRange)] : [];
  assertUsable([...entry.problems, ...orphan]);
  if (isFolderLayer(from.layer) && !isFolderLayer(to.layer)) {
    // out of the repository's file it would need no consent any more
    hooks.assertConsented({ ...definition, launch: entry.launch, origin: from });
    await assertRootsInside(entry.options.roots, { folder: from.folder, homeDir: hooks.homeDir });
  }
  await assertNothingSecret(name, entry.raw ?? {}, to, hooks.homeDir);
  if (!target.isCopy) {
    // what cannot be taken out of its file is found out before anything is written
    removeEntryText(source, oldName);
  }
  const id = serverId(target.poolId, name);
  const carried = await hooks.carry({
    from: definition,
    to: id,
    toPool: target.poolId,
    inputIds: inputIdsOf(entry.launch),
    isCopy: target.isCopy,
  });
  const text = readEntryText(source, oldName);
  try {
    await files.edit(to, (config) => writeEntryText(config, name, text));
    if (!target.isCopy) {
      await files.edit(from, (config) => removeEntryText(config, oldName));
    }
  } catch (error) {
    await carried.takeBack();
    throw error;
  }
  if (!target.isCopy) {
    await carried.forgetOld();
  }
  return id;
}
