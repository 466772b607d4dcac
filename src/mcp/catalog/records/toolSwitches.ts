/** The user's own switches for single tools, for everywhere and for single folders. Files of a project never hold them. */
import { asObject, isJsonObject, mapValues } from '../../../base/json.js';
import { RecordStore } from '../../../platform/stores/recordStore.js';
import type { StorePlace } from '../../../platform/stores/sharedStore.js';

export type ToolSwitch = 'on' | 'off';

/** By server, then by tool: no two names can be taken for another two. */
type Switches = Readonly<Record<string, Readonly<Record<string, ToolSwitch>>>>;

type StoredSwitches = {
  readonly everywhere: Switches;
  readonly folders: Readonly<Record</* folder URI */ string, Switches>>;
};

/** `undefined` as a folder means everywhere. */
export interface SwitchPlace {
  readonly folderUri: string | undefined;
  /** Name of the server. */
  readonly server: string;
  readonly tool: string;
}

const noSwitches: StoredSwitches = { everywhere: {}, folders: {} };

export class ToolSwitches extends RecordStore<StoredSwitches> {
  constructor(options: StorePlace) {
    super({
      ...options,
      fileName: 'tool-switches.json',
      initial: noSwitches,
      parse,
      // everywhere and folders, folders by URI, servers by name, tools by name
      depth: 4,
    });
  }

  /** What was chosen at exactly this place; `undefined` inherits. */
  get({ folderUri, server, tool }: SwitchPlace): ToolSwitch | undefined {
    const { everywhere, folders } = this.store.value;
    const switches = folderUri === undefined ? everywhere : own(folders, folderUri);
    const tools = switches && own(switches, server);
    return tools && own(tools, tool);
  }

  /** The folder's choice, else the one for everywhere, else on. */
  isOn(place: SwitchPlace): boolean {
    const chosen = this.get(place) ?? this.get({ ...place, folderUri: undefined });
    return chosen !== 'off';
  }

  /** What says at this place that the tool is on or off: nothing where it is so anyway. */
  choiceFor(place: SwitchPlace, isOn: boolean): ToolSwitch | undefined {
    const inherited =
      place.folderUri === undefined || this.isOn({ ...place, folderUri: undefined });
    return isOn === inherited ? undefined : isOn ? 'on' : 'off';
  }

  /** `undefined` inherits again. @throws {HumanError} when it could not be saved. */
  async set(place: SwitchPlace, value: ToolSwitch | undefined): Promise<void> {
    await this.store.edit((stored) => withChoice(stored, place, value));
  }
}

function withChoice(
  { everywhere, folders }: StoredSwitches,
  place: SwitchPlace,
  value: ToolSwitch | undefined,
): StoredSwitches {
  const { folderUri } = place;
  if (folderUri === undefined) {
    return { everywhere: withSwitch(everywhere, place, value), folders };
  }
  const ofFolder = nonEmpty(withSwitch(own(folders, folderUri) ?? {}, place, value));
  return { everywhere, folders: withEntry(folders, folderUri, ofFolder) };
}

function withSwitch(
  switches: Switches,
  { server, tool }: SwitchPlace,
  value: ToolSwitch | undefined,
): Switches {
  const tools = withEntry(own(switches, server) ?? {}, tool, value);
  return withEntry(switches, server, nonEmpty(tools));
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function withEntry<T>(
  record: Readonly<Record<string, T>>,
  key: string,
  value: T | undefined,
): Readonly<Record<string, T>> {
  const others = Object.entries(record).filter(([name]) => name !== key);
  return Object.fromEntries(value === undefined ? others : [...others, [key, value]]);
}

function nonEmpty<T extends object>(record: T): T | undefined {
  return Object.keys(record).length > 0 ? record : undefined;
}

function parse(value: unknown): StoredSwitches | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  return {
    everywhere: parseSwitches(value.everywhere),
    folders: mapValues(asObject(value.folders), parseSwitches),
  };
}

function parseSwitches(value: unknown): Switches {
  let switches: Switches = {};
  for (const [key, item] of Object.entries(asObject(value))) {
    const places = isJsonObject(item)
      ? Object.entries(item).map(([tool, choice]) => ({ server: key, tool, choice }))
      : formerPlaces(key).map((place) => ({ ...place, choice: item }));
    for (const { server, tool, choice } of places) {
      if (choice === 'on' || choice === 'off') {
        switches = withSwitch(switches, { folderUri: undefined, server, tool }, choice);
      }
    }
  }
  return switches;
}

/** Every place that the former key `server/tool` stood for: each name may hold slashes itself. */
function formerPlaces(key: string): readonly { readonly server: string; readonly tool: string }[] {
  const parts = key.split('/');
  return parts.slice(1).map((_part, index) => ({
    server: parts.slice(0, index + 1).join('/'),
    tool: parts.slice(index + 1).join('/'),
  }));
}
