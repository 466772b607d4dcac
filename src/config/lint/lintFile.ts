import type { HostEnvironment } from '../../platform/ports.js';
import type { WorkspaceFolder } from '../definition.js';
import { type ConfigFileLocation, isFolderLayer } from '../parse/configLocations.js';
import type { ParsedConfigFile, ParsedEntry } from '../parse/configTypes.js';
import type { JsonDocument } from '../parse/jsonDocument.js';
import type { PatternTarget } from '../toolProfiles.js';
import { isIgnoredByGit } from './gitIgnored.js';
import { lintConfig, lintImported } from './lintConfig.js';
import type { LintFinding, OtherClient } from './lintTypes.js';
import { machineSurroundings } from './machineSurroundings.js';
import { clientsOfFolder } from './otherClients.js';

/** A configuration file, as it is saved or as its editor shows it. */
export interface LintedFile {
  readonly file: ParsedConfigFile;
  readonly document: JsonDocument;
  readonly location: ConfigFileLocation;
  /** `undefined` for a file of the user. */
  readonly folder: WorkspaceFolder | undefined;
}

export interface LintMachine {
  readonly environment: HostEnvironment;
  /** False in Restricted Mode. */
  readonly isTrusted: boolean;
  /** Known to be used here, beside those that the folder shows. */
  readonly clients: readonly OtherClient[];
  /** Those that are configured where the file counts. Default: those of the file. */
  readonly servers?: readonly PatternTarget[];
  /** Whether the user agreed to the launch of an entry, as it stands. */
  readonly isConsented: (entry: ParsedEntry) => boolean;
}

/** Every rule that concerns a file, over the machine as it is now. */
export async function lintFile(
  { file, document, location, folder }: LintedFile,
  { environment, isTrusted, clients, servers, isConsented }: LintMachine,
): Promise<readonly LintFinding[]> {
  if (location.layer === 'import') {
    const { homeDir } = environment;
    const isIgnored = async (path: string) => isTrusted && isIgnoredByGit(path, homeDir);
    const subject = { file, document, isCommitted: location.folder !== undefined };
    return lintImported(subject, { isIgnoredByGit: isIgnored });
  }
  const ofFolder = await clientsOfFolder(folder?.fsPath);
  const surroundings = machineSurroundings({
    environment,
    folder,
    isTrusted,
    clients: new Set([...ofFolder, ...clients]),
    isConsented,
  });
  const isCommitted = isFolderLayer(location.layer);
  return lintConfig(
    { file, document, isCommitted },
    { ...surroundings, servers: servers ?? surroundings.servers },
  );
}
