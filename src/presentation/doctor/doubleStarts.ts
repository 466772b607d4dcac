/** Entries of ours that other programs start as well: what is seen of them, and what the files say that they read. */
import * as l10n from '@vscode/l10n';
import type { McpServerLaunch } from '../../config/definition.js';
import { readConfigText } from '../../config/discovery/configFileStore.js';
import { findImportable } from '../../config/imports/importableServers.js';
import { importLabels } from '../../config/imports/importLabels.js';
import { clientsOfFolder } from '../../config/lint/otherClients.js';
import type { Workspace } from '../../config/ports.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import type { DoubleStart } from '../../mcp/otherClients/doubleStarts.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { DoctorDoubleStart } from '../../protocol/doctor/doctorProtocol.js';
import { doubleStartSentences } from '../tree/tooltips/otherUseTooltip.js';

export interface DoubleStartParts {
  readonly servers: readonly McpServer[];
  readonly workspace: Pick<Workspace, 'folders'>;
  readonly environment: HostEnvironment;
  readonly nameOf: (server: McpServer) => string;
  /** What the surface sees of its own client and of running programs. Default: nothing. */
  readonly seen?: readonly DoubleStart[];
}

/** Reads files and starts nothing. A file that cannot be read tells nothing. */
export async function readDoubleStarts(
  parts: DoubleStartParts,
): Promise<readonly DoctorDoubleStart[]> {
  const { servers, workspace, environment, seen, nameOf } = parts;
  const started = servers.filter(
    ({ definition }) => definition.enabled && programOf(definition.launch) !== undefined,
  );
  const files = await findImportable(environment, workspace.folders, (_path, location) =>
    readConfigText(location),
  );
  const sameEntries = started.flatMap((server) =>
    files
      // of the editor that shows the report more is known than that
      .filter(({ source }) => seen === undefined || source !== 'vscode')
      .filter(({ parsed }) =>
        parsed.entries.some(
          ({ enabled, launch }) =>
            enabled !== false && programOf(launch) === programOf(server.definition.launch),
        ),
      )
      .map(({ source, location }) => ({
        server: nameOf(server),
        client: importLabels[source],
        kind: 'would' as const,
        text: l10n.t(
          '{0} has the same command in {1}: who uses both runs it twice.',
          importLabels[source],
          location.path,
        ),
      })),
  );
  return [...seenStarts(parts), ...(await sharedFiles(started, parts)), ...sameEntries];
}

function seenStarts({
  servers,
  seen = [],
  nameOf,
}: DoubleStartParts): readonly DoctorDoubleStart[] {
  return seen
    .filter(({ server }) => server.definition.enabled && servers.includes(server))
    .map((start) => {
      const { server } = start;
      const running = start.running.map(({ client }) => importLabels[client]);
      return {
        server: nameOf(server),
        client: [...new Set(running.length > 0 ? running : [importLabels.vscode])].join(', '),
        kind: running.length > 0 ? 'has' : 'would',
        text: doubleStartSentences(start).join(' · '),
      };
    });
}

/** Those that read the very file that the entry is in. */
async function sharedFiles(
  servers: readonly McpServer[],
  { seen, nameOf }: DoubleStartParts,
): Promise<readonly DoctorDoubleStart[]> {
  const found = await Promise.all(
    servers.map(async (server) => {
      const { folder, origin } = server.definition;
      if (folder?.fsPath === undefined || !/[/\\]\.mcp\.json$/.test(origin.path)) {
        return [];
      }
      return [...(await clientsOfFolder(folder.fsPath))]
        .filter((client) => seen === undefined || client !== 'vscode')
        .map((client) => ({
          server: nameOf(server),
          client: importLabels[client],
          kind: 'would' as const,
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
