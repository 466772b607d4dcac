import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { JsonObject } from '../../base/json.js';
import { type ConfigFileLocation, isFolderLayer } from '../parse/configLocations.js';
import { parseJsonDocument } from '../parse/jsonDocument.js';
import { parseConfig } from '../parse/parseConfig.js';
import { isIgnoredByGit } from './gitIgnored.js';
import type { LintFinding } from './lintTypes.js';
import { literalSecrets } from './literalSecrets.js';

type FilePlace = Pick<ConfigFileLocation, 'layer' | 'path'>;

/** What looks like a secret in an entry, in whatever file; the paths begin with `mcpServers` and the name. */
export function writtenSecrets(name: string, entry: JsonObject): Promise<readonly LintFinding[]> {
  const place = { layer: 'project', path: '' } as const;
  return findSecrets(name, entry, place, () => Promise.resolve(false));
}

function findSecrets(
  name: string,
  entry: JsonObject,
  { layer, path }: FilePlace,
  isIgnoredByGit: (path: string) => Promise<boolean>,
): Promise<readonly LintFinding[]> {
  const text = JSON.stringify({ mcpServers: { [name]: entry } });
  const file = { ...parseConfig(text, { path, layer }), path };
  const subject = { file, document: parseJsonDocument(text), isCommitted: isFolderLayer(layer) };
  return literalSecrets(subject, { isIgnoredByGit });
}

/**
 * For a new entry in a file that a repository shares; files of the user's own, and those that git ignores, may hold what
 * they like.
 * @throws {HumanError} with code `secret_shared` when it holds what looks like a secret.
 */
export async function assertNothingSecret(
  name: string,
  entry: JsonObject,
  location: FilePlace,
  homeDir: string,
): Promise<void> {
  const findings = await findSecrets(name, entry, location, (place) =>
    isIgnoredByGit(place, homeDir),
  );
  const finding = findings.find(({ severity }) => severity !== 'info');
  const { path } = location;
  if (finding) {
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
