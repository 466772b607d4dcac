import * as vscode from 'vscode';
import { gravestProblem, type TextRange } from '../../../config/definition.js';
import { commandIds } from '../../../contributions.js';
import type { McpPool, McpService } from '../../../mcp/mcpApi.js';
import { assertRegularFile } from '../../../platform/boundedFile.js';
import { asTreeNode, poolOf, serverOf } from '../../../presentation/tree/targets.js';
import type { CommandHandlers } from '../../commandHandlers.js';
import { type PickItem, pickItemsByPool, pickOne } from '../../prompts/picks/picks.js';

export function configurationCommands(
  service: McpService,
  list: { show(): void },
  add: { show(poolId?: string): void },
): CommandHandlers {
  return {
    [commandIds.addServer]: (argument) =>
      add.show((poolOf(service, argument) ?? preferredPool(service))?.id),
    [commandIds.configureServers]: () => list.show(),
    [commandIds.openConfiguration]: (argument) => openConfiguration(service, argument),
  };
}

/** New servers belong to the project where there is one. */
function preferredPool({ pools }: McpService): McpPool | undefined {
  return pools.find((pool) => pool.folder?.fsPath !== undefined) ?? pools[0];
}

async function openConfiguration(service: McpService, argument: unknown): Promise<void> {
  const node = asTreeNode(argument);
  if (node?.kind === 'problem') {
    await openFile(node.file.path, node.file.problem.range);
    return;
  }
  const server = serverOf(service, argument);
  if (server) {
    const { origin, problems } = server.definition;
    const isInvalid = server.state.value.kind === 'invalid';
    const at = isInvalid ? gravestProblem(problems)?.range : undefined;
    await openFile(origin.path, at ?? origin.nameRange);
    return;
  }
  const pool = poolOf(service, argument);
  await openFile(await pickFile(service, pool));
}

/** Asks only when there is a choice. A file that does not exist is created. */
async function pickFile(service: McpService, wanted: McpPool | undefined): Promise<string> {
  const items = pickItemsByPool(service, (pool) =>
    wanted && pool !== wanted ? [] : fileItems(pool),
  );
  const title = vscode.l10n.t('Open Configuration');
  const { path, pool } = await pickOne<ConfigurationFile>(items, { title, takesOnly: true });
  return pool.files.includes(path) ? path : service.configuration.ensureFile(pool.id);
}

interface ConfigurationFile {
  readonly path: string;
  readonly pool: McpPool;
}

function fileItems(pool: McpPool): readonly PickItem<ConfigurationFile>[] {
  const paths = [...new Set([pool.primaryFile, ...[...pool.files].reverse()])];
  return paths.map((path) => {
    const isMissing = !pool.files.includes(path);
    return {
      label: isMissing ? `$(new-file) ${path}` : `$(file) ${path}`,
      description: isMissing ? vscode.l10n.t('create') : undefined,
      value: { path, pool },
    };
  });
}

export async function openFile(path: string, range?: TextRange): Promise<void> {
  // the editor would wait for ever at a pipe
  await assertRegularFile(path);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  const selection =
    range && new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
  await vscode.window.showTextDocument(document, selection ? { selection } : {});
}
