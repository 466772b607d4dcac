/** Where servers are declared, in the words of the command line: `user`, `project` and `local`. */
import { HumanError } from '../../base/errors.js';
import { oneLine } from '../../base/text/plainText.js';
import type { PoolFile } from '../../config/configuration.js';
import {
  type ConfigOrigin,
  globalPoolId,
  type McpPoolId,
  type McpServerDefinition,
} from '../../config/definition.js';
import { isFolderLayer } from '../../config/parse/configLocations.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { Scope } from '../options/optionTable.js';
import { type CliSession, unknownOf } from '../session.js';

/** One declaration of a server. */
export interface Declared {
  readonly server: McpServer;
  readonly origin: ConfigOrigin;
  readonly scope: Scope;
}

/** The file that new servers of the scope are written to. */
export function fileOf(
  { folderUri }: Pick<CliSession, 'folderUri'>,
  scope: Scope,
): { readonly poolId: McpPoolId; readonly file: PoolFile } {
  return {
    poolId: scope === 'user' ? globalPoolId : folderUri,
    file: scope === 'local' ? 'local' : 'primary',
  };
}

/**
 * The declaration that is meant.
 * @throws {HumanError} with code `server_unknown` or, when several are, `server_ambiguous`.
 */
export function findDeclared(
  { service }: Pick<CliSession, 'service'>,
  name: string,
  scope: Scope | undefined,
): Declared {
  const all = service.servers.flatMap(declarations);
  const named = all.filter(({ server }) => server.definition.name === name);
  const [found, ...others] = named.filter((one) => scope === undefined || one.scope === scope);
  if (!found) {
    throw named.length === 0 ? unknownOf(name, service.servers) : elsewhere(name, named);
  }
  if (others.length > 0) {
    throw new HumanError(
      'server_ambiguous',
      `${oneLine(name)} is in ${placesText([found, ...others])}.`,
      { remedy: 'Say which one is meant: "--scope" takes user, project or local.' },
    );
  }
  return found;
}

/** What counts, and what it hides in the files of its own pool that are ours. */
function declarations(server: McpServer): readonly Declared[] {
  const { scope, origin, hides } = server.definition;
  const isOfFolder = ({ layer }: ConfigOrigin) => isFolderLayer(layer) || layer === 'local';
  const hidden = hides.filter((one) =>
    scope === 'folder' ? isOfFolder(one) : one.layer !== 'import',
  );
  return [origin, ...hidden].map((one) => ({
    server,
    origin: one,
    scope: scopeIn(scope, one),
  }));
}

/** The word of the command line for where a declaration stands. */
export function scopeIn(scope: McpServerDefinition['scope'], { layer }: ConfigOrigin): Scope {
  return scope === 'global' ? 'user' : layer === 'local' ? 'local' : 'project';
}

function elsewhere(name: string, named: readonly Declared[]): HumanError {
  return new HumanError('server_unknown', `${oneLine(name)} is in ${placesText(named)}.`, {
    remedy: 'Correct "--scope".',
  });
}

function placesText(declared: readonly Declared[]): string {
  return declared.map(({ scope, origin }) => `${oneLine(origin.path)} (${scope})`).join(', ');
}
