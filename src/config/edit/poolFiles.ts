import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { McpServerEntry, PoolFile } from '../configuration.js';
import type { ConfigProblem, McpPoolId, McpServerDefinition, McpServerId } from '../definition.js';
import type { ConfigFileLocation } from '../parse/configLocations.js';
import { parseConfig } from '../parse/parseConfig.js';
import { missingKind } from '../parse/parseEntry.js';

/** What the editor needs to know about the files; `ConfigDiscovery` provides it. */
export interface EditablePools {
  find(id: McpServerId): McpServerDefinition | undefined;
  /** Candidate files of a pool, lowest precedence first. */
  locations(poolId: McpPoolId): readonly ConfigFileLocation[];
  /** Of a file of a pool, as it was read last; `undefined` where it could not be. */
  knownText(path: string): string | undefined;
  /** The file's text as it is now; `undefined` when there is none. */
  readText(location: ConfigFileLocation): Promise<string | undefined>;
  reload(): Promise<void>;
  /** Publishes nothing while `write` is under way, so that what it writes to several files counts at once. */
  during(write: () => Promise<void>): Promise<void>;
}

/** @throws {HumanError} where there is no such file. */
export function locationIn(
  pools: Pick<EditablePools, 'locations'>,
  poolId: McpPoolId,
  file: PoolFile,
): ConfigFileLocation {
  const found = pools
    .locations(poolId)
    .find(({ isPrimary, layer }) => (file === 'primary' ? isPrimary : layer === 'local'));
  if (!found) {
    throw new HumanError('folder_virtual', l10n.t('This folder is not on disk.'), {
      remedy: l10n.t('Open a folder on disk.'),
    });
  }
  return found;
}

/** Problems an entry would have. */
export function validateEntry(name: string, entry: McpServerEntry): readonly ConfigProblem[] {
  const fields = Object.entries(entry).filter(([, value]) => value !== null && value !== undefined);
  const text = JSON.stringify({ mcpServers: { [name]: Object.fromEntries(fields) } });
  const file = parseConfig(text, { path: '', layer: 'user' });
  const problems = file.entries.flatMap((item) =>
    item.kind === 'overrides'
      ? [...item.problems, missingKind(name, item.nameRange)]
      : item.problems,
  );
  // positions in a text that nobody sees
  return problems.map(({ range: _range, ...problem }) => problem);
}
