import type { JsonObject } from '../../base/json.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { type ImportSource, importSources, type WorkspaceFolder } from '../definition.js';
import type { ConfigFileLocation } from '../parse/configLocations.js';
import type { ParsedConfigFile, ParsedEntry } from '../parse/configTypes.js';
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
  const places = importSources.flatMap((source) => [
    ...userImportFiles(source, environment).map((location) => ({
      source,
      location,
      folder: undefined,
    })),
    ...folders.flatMap((folder) =>
      folderImportFiles(source, folder, environment).map((location) => ({
        source,
        location,
        folder,
      })),
    ),
  ]);
  const files = await Promise.all(
    places.map(async (place) => {
      const text = await readText(place.location.path, place.location).catch(() => undefined);
      return text === undefined ? [] : [{ ...place, parsed: parseLocation(text, place.location) }];
    }),
  );
  return files.flat().filter(({ parsed }) => parsed.entries.length + parsed.problems.length > 0);
}

/** The entry in our own words, for a file of ours (adding it there leaves out defaults); `undefined` when it cannot be used. */
export function toOwnEntry({ launch, enabled, options }: ParsedEntry): JsonObject | undefined {
  if (!launch) {
    return undefined;
  }
  const { kind: _kind, ...fields } = launch;
  return {
    ...fields,
    ...(enabled === false ? { enabled } : {}),
    ...options,
  };
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
