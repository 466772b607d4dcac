/** Entries of ours that other programs start as well: what is known from the files that both read. */
import * as l10n from '@vscode/l10n';
import type { McpServerLaunch } from '../../config/definition.js';
import { readConfigText } from '../../config/discovery/configFileStore.js';
import { findImportable } from '../../config/imports/importableServers.js';
import { importLabels } from '../../config/imports/importLocations.js';
import type { OtherClient } from '../../config/lint/lintTypes.js';
import { clientsOfFolder } from '../../config/lint/otherClients.js';
import type { Workspace } from '../../config/ports.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { DoctorDoubleStart } from '../../protocol/doctor/doctorProtocol.js';

export interface DoubleStartParts {
  readonly servers: readonly McpServer[];
  readonly workspace: Pick<Workspace, 'folders'>;
  readonly environment: HostEnvironment;
  readonly nameOf: (server: McpServer) => string;
  /** Programs that read the `.mcp.json` of folders and start what it declares, as far as the surface knows. */
  readonly clients: readonly OtherClient[];
}

/** Reads files and starts nothing. A file that cannot be read tells nothing. */
export async function readDoubleStarts(
  parts: DoubleStartParts,
): Promise<readonly DoctorDoubleStart[]> {
  const { servers, workspace, environment, nameOf } = parts;
  const started = servers.filter(
    ({ definition }) => definition.enabled && programOf(definition.launch) !== undefined,
  );
  const files = await findImportable(environment, workspace.folders, (_path, location) =>
    readConfigText(location),
  );
  const sameEntries = started.flatMap((server) =>
    files
      .filter(({ parsed }) =>
        parsed.entries.some(
          ({ enabled, launch }) =>
            enabled !== false && programOf(launch) === programOf(server.definition.launch),
        ),
      )
      .map(({ source, location }) => ({
        server: nameOf(server),
        client: importLabels[source],
        text: l10n.t(
          '{0} has the same command in {1}: who uses both runs it twice.',
          importLabels[source],
          location.path,
        ),
      })),
  );
  return [...(await sharedFiles(started, parts)), ...sameEntries].map((one) => ({
    ...one,
    kind: 'would',
  }));
}

/** Those that read the very file that the entry is in. */
async function sharedFiles(
  servers: readonly McpServer[],
  { clients, nameOf }: DoubleStartParts,
): Promise<readonly Omit<DoctorDoubleStart, 'kind'>[]> {
  const found = await Promise.all(
    servers.map(async (server) => {
      const { folder, origin } = server.definition;
      if (folder?.fsPath === undefined || !/[/\\]\.mcp\.json$/.test(origin.path)) {
        return [];
      }
      const readers = new Set([...clients, ...(await clientsOfFolder(folder.fsPath))]);
      return [...readers].map((client) => ({
        server: nameOf(server),
        client: importLabels[client],
        text: l10n.t(
          '{0} reads {1} as well: who uses both runs it twice.',
          importLabels[client],
          origin.path,
        ),
      }));
    }),
  );
  return found.flat();
}

/** The same for two entries that run the same; a remote server is not started by its clients. */
function programOf(launch: McpServerLaunch | undefined): string | undefined {
  return launch?.kind === 'stdio' ? JSON.stringify([launch.command, ...launch.args]) : undefined;
}
