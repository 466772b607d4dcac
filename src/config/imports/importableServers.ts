import { defined, type JsonObject, mapTexts } from '../../base/json.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { NewServer } from '../configuration.js';
import {
  type ConfigInput,
  type ImportSource,
  importSources,
  type WorkspaceFolder,
} from '../definition.js';
import { inputIdsOf } from '../edit/entryText.js';
import { takeName } from '../fixes/quickFixes.js';
import { declarationOf } from '../inputs/inputDeclaration.js';
import type { ConfigFileLocation } from '../parse/configLocations.js';
import type { ParsedConfigFile, ParsedEntry } from '../parse/configTypes.js';
import { launchOfEntry } from '../parse/launchOfEntry.js';
import { parseLocation } from '../parse/parseLocation.js';
import { findField } from '../schema/fields.js';
import { folderImportFiles, userImportFiles } from './importLocations.js';

/** One file of another program, with what it declares. */
export interface ImportableFile {
  readonly source: ImportSource;
  readonly location: ConfigFileLocation;
  /** `undefined`: the user's own servers. */
  readonly folder: WorkspaceFolder | undefined;
  readonly parsed: ParsedConfigFile;
}

/**
 * Everything that could be imported: files with servers, or with a problem that hides them.
 * @param readText `undefined` when there is no such file; a rejection skips the file.
 */
export async function findImportable(
  environment: HostEnvironment,
  folders: readonly WorkspaceFolder[],
  readText: (path: string, location: ConfigFileLocation) => Promise<string | undefined>,
): Promise<readonly ImportableFile[]> {
  const places = importSources.flatMap((source) =>
    [undefined, ...folders].flatMap((folder) => {
      const locations = folder
        ? folderImportFiles(source, folder, environment)
        : userImportFiles(source, environment);
      return locations.map((location) => ({ source, location, folder }));
    }),
  );
  const files = await Promise.all(
    places.map(async (place) => {
      const text = await readText(place.location.path, place.location).catch(() => undefined);
      return text === undefined ? [] : [{ ...place, parsed: parseLocation(text, place.location) }];
    }),
  );
  const seen = new Set</* path */ string>();
  return files.flat().filter(({ location: { path }, parsed }) => {
    const isTold = parsed.hasSyntaxError && seen.has(path);
    seen.add(path);
    return !isTold && parsed.entries.length + parsed.problems.length > 0;
  });
}

/** The entry in our own words, for a file of ours (adding it there leaves out defaults); `undefined` when it cannot be used. */
export function toOwnEntry({ launch, enabled, options }: ParsedEntry): JsonObject | undefined {
  if (!launch) {
    return undefined;
  }
  const { kind: _kind, ...fields } = launch;
  return defined({ ...fields, enabled: enabled === false ? enabled : undefined, ...options });
}

/** A server that is taken over, with the inputs of the file that it stands in. */
export interface TakenServer extends NewServer {
  readonly file: Pick<ParsedConfigFile, 'path' | 'inputs'>;
}

/**
 * The servers with the inputs that they ask for. An id that means something already gets another name: what was
 * answered to one program's question is no answer to that of another one.
 */
export function withAskedInputs<T extends TakenServer>(
  servers: readonly T[],
  takenIds: ReadonlySet<string>,
): readonly T[] {
  const taken = new Set(takenIds);
  const ids = new Map</* file and id there */ string, string>();
  const idOf = (path: string, id: string) => {
    const key = JSON.stringify([path, id]);
    const known = ids.get(key) ?? takeName(id, taken);
    ids.set(key, known);
    return known;
  };
  return servers.map((server) => {
    const { name: serverName, entry, file } = server;
    const asked = inputIdsOf(launchOfEntry(serverName, entry));
    const names = new Map(asked.map((id) => [id, idOf(file.path, id)] as const));
    const inputs = file.inputs.flatMap((input: ConfigInput) => {
      const id = names.get(input.id);
      return id === undefined ? [] : [declarationOf({ ...input, id })];
    });
    return asked.length === 0 ? server : { ...server, entry: withInputNames(entry, names), inputs };
  });
}

const inputLead = '${input:';

/** The entry with other ids for the inputs that it asks for. */
export function withInputNames(entry: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  return mapTexts(entry, (text) => {
    // each piece is looked at by itself, so that none is looked through once for each that is open
    const [lead = '', ...pieces] = text.split(inputLead);
    const named = pieces.map((piece) =>
      piece.replace(/^[^}]*?(?=\}|:-)/, (id) => names.get(id) ?? id),
    );
    return [lead, ...named].join(inputLead);
  }) as JsonObject;
}

/** Fields that describe an entry, and rules of other programs: nobody misses them in ours. */
const silentFields: ReadonlySet<string> = new Set(
  `name description title icon version gallery source settings timeout tools httpUrl autoApprove alwaysAllow trust`.split(
    ' ',
  ),
);

/** Fields of the entry that do something there and nothing here. */
export function lostFields({ raw }: ParsedEntry): readonly string[] {
  return Object.keys(raw ?? {}).filter(
    (name) => findField(name)?.role === 'foreign' && !silentFields.has(name),
  );
}
