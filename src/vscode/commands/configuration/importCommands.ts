import * as vscode from 'vscode';
import { labelText } from '../../../base/text/labelText.js';
import { globalPoolId, type ImportSource } from '../../../config/definition.js';
import { readConfigText } from '../../../config/discovery/configFileStore.js';
import type { SecretKeeper } from '../../../config/fixes/secretKeeper.js';
import {
  findImportable,
  type ImportableFile,
  type TakenServer,
  toOwnEntry,
  withAskedInputs,
} from '../../../config/imports/importableServers.js';
import { importLabels } from '../../../config/imports/importLabels.js';
import type { Machine } from '../../../config/ports.js';
import { commandIds } from '../../../contributions.js';
import type { McpService } from '../../../mcp/mcpApi.js';
import { launchLine } from '../../../mcp/trust/launchLines.js';
import type { CommandHandlers } from '../../commandHandlers.js';
import type { TextDocuments } from '../../documents/textDocuments.js';
import { showInformation, showWarning } from '../../notifications.js';
import { listHeading, type PickItem, pickOne, pickSome } from '../../prompts/picks/picks.js';
import { pickTarget } from '../../prompts/picks/serverPicker.js';
import { addReviewed } from './addReviewed.js';

export interface ImportParts {
  readonly service: McpService;
  readonly machine: Machine;
  readonly documents: TextDocuments;
  readonly secrets: SecretKeeper;
}

export function importCommands(parts: ImportParts): CommandHandlers {
  return { [commandIds.importServers]: () => importServers(parts) };
}

/** Files of other programs on this machine that have servers. */
export function findImportFiles({
  environment,
  workspace,
}: Machine): Promise<readonly ImportableFile[]> {
  return findImportable(environment, workspace.folders, (_path, location) =>
    readConfigText(location),
  );
}

async function importServers(parts: ImportParts): Promise<void> {
  const { service, machine } = parts;
  const files = await findImportFiles(machine);
  if (files.length === 0) {
    void showInformation(vscode.l10n.t('No other program has servers here.'));
    return;
  }
  for (const { source, parsed } of files) {
    if (parsed.entries.length === 0) {
      const sentences = parsed.problems.map(({ message }) => message);
      void showWarning(`${importLabels[source]}: ${sentences.join(' ')}`);
    }
  }
  const picked = await pickSome<PickedServer>(
    files.flatMap(fileItems),
    vscode.l10n.t('Import Servers'),
  );
  if (await askForReferences()) {
    await keepReferences(service, picked);
    return;
  }
  const pool = await pickTarget(service);
  const asking = withAskedInputs(picked, await parts.secrets.takenIds(pool));
  await addReviewed(parts, pool, asking, () => vscode.l10n.t('Import Servers'));
}

interface PickedServer extends TakenServer {
  readonly source: ImportSource;
}

/** What a file holds, under its name. VS Code draws no heading above nothing. */
function fileItems({
  source,
  location,
  parsed,
}: ImportableFile): readonly PickItem<PickedServer>[] {
  const items = parsed.entries.flatMap((parsedEntry): PickItem<PickedServer>[] => {
    const entry = toOwnEntry(parsedEntry);
    const { name, launch } = parsedEntry;
    return entry && launch
      ? [
          {
            label: labelText(name),
            description: labelText(launchLine(launch)),
            value: { name, entry, file: parsed, source },
          },
        ]
      : [];
  });
  const heading = listHeading(`${importLabels[source]} · ${location.path}`);
  return items.length === 0 ? [] : [heading, ...items];
}

function askForReferences(): Promise<boolean> {
  return pickOne<boolean>(
    [
      {
        label: `$(copy) ${vscode.l10n.t('Copy Servers')}`,
        value: false,
      },
      {
        label: `$(link) ${vscode.l10n.t('Keep as Live References')}`,
        detail: vscode.l10n.t(
          'All servers of the chosen programs appear, and change when they are changed there.',
        ),
        value: true,
      },
    ],
    { title: vscode.l10n.t('Import Servers') },
  );
}

/**
 * The user's own file asks: it may take over what the user keeps and what any folder holds. A source that only a folder
 * holds is asked for by that file too, since a shared project file is not the place for one user's programs.
 */
async function keepReferences(service: McpService, picked: readonly PickedServer[]): Promise<void> {
  const sources = [...new Set(picked.map(({ source }) => source))];
  await service.configuration.addImports(globalPoolId, sources);
  void showInformation(
    vscode.l10n.t(
      'The servers of {0} are shown as they are there.',
      sources.map((source) => importLabels[source]).join(', '),
    ),
  );
}
