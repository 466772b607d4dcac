import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import { type ConfigFileLocation, isFolderLayer } from '../parse/configLocations.js';
import { parseJsonDocument } from '../parse/jsonDocument.js';
import { parseConfig } from '../parse/parseConfig.js';
import { isIgnoredByGit } from './gitIgnored.js';
import { literalSecrets } from './literalSecrets.js';

/**
 * For a new entry in a file that a repository shares; files of the user's own, and those that git ignores, may hold what
 * they like.
 * @throws {HumanError} with code `secret_shared` when it holds what looks like a secret.
 */
export async function assertNothingSecret(
  name: string,
  entry: JsonObject,
  { layer, path }: Pick<ConfigFileLocation, 'layer' | 'path'>,
  homeDir: string,
): Promise<void> {
  const text = JSON.stringify({ mcpServers: { [name]: entry } });
  const file = { ...parseConfig(text, { path, layer }), path };
  const [finding] = await literalSecrets(
    { file, document: parseJsonDocument(text), isCommitted: isFolderLayer(layer) },
    { isIgnoredByGit: (place) => isIgnoredByGit(place, homeDir) },
  );
  if (finding && finding.severity !== 'info') {
    const id = finding.detail?.kind === 'secret' ? finding.detail.suggestedId : name;
    throw new HumanError(
      'secret_shared',
      l10n.t('{0} {1} is shared with everybody who has the folder.', finding.message, path),
      {
        remedy: l10n.t(
          'Write {0} or {1} in its place, or keep the server to yourself (scope "local" or "user").',
          `\${env:NAME}`,
          `\${input:${id}}`,
        ),
      },
    );
  }
}
