import * as vscode from 'vscode';
import { CancellationError } from '../../../base/async/cancellation.js';
import type { TextRange } from '../../../config/definition.js';
import { commandIds } from '../../../contributions.js';
import type { McpPool, McpService } from '../../../mcp/mcpApi.js';
import { assertRegularFile } from '../../../platform/boundedFile.js';
import { poolLabel } from '../../../presentation/tree/presentation.js';
import { asTreeNode, poolOf, serverOf } from '../../../presentation/tree/targets.js';
import { pickServer } from '../../prompts/serverPicker.js';
import type { CommandHandlers } from '../../registerCommand.js';

/** The configuration editor, opened where the user wants to go. */
export interface ConfigEditor {
  show(): void;
  /** Opens the form on a new server of the pool. */
  add(poolId: string): void;
  edit(serverId: string): void;
}

export function configurationCommands(service: McpService, editor: ConfigEditor): CommandHandlers {
  return {
    [commandIds.configureServers]: () => editor.show(),
    [commandIds.editServer]: async (argument) => {
      const server =
        serverOf(service, argument) ??
        (await pickServer(service, {
          title: vscode.l10n.t('Edit Server'),
          emptyMessage: vscode.l10n.t('No MCP server is configured.'),
        }));
      editor.edit(server.id);
    },
    [commandIds.openConfiguration]: (argument) => openConfiguration(service, argument),
    [commandIds.openProblem]: async (argument) => {
      const node = asTreeNode(argument);
      if (node?.kind === 'problem') {
        await openFile(node.file.path, node.file.problem.range);
      }
    },
  };
}

async function openConfiguration(service: McpService, argument: unknown): Promise<void> {
  const server = serverOf(service, argument);
  if (server) {
    await openFile(server.definition.origin.path, server.definition.origin.nameRange);
    return;
  }
  const pool = poolOf(service, argument);
  await openFile(await pickFile(service, pool ? [pool] : service.pools));
}

type FileItem = vscode.QuickPickItem & {
  readonly path?: string;
  readonly pool?: McpPool;
};

/** Asks only when there is a choice. A file that does not exist is created. */
async function pickFile(service: McpService, pools: readonly McpPool[]): Promise<string> {
  const items = pools.flatMap(fileItems);
  const choices = items.filter((item) => item.path !== undefined);
  const [first] = choices;
  const item =
    choices.length === 1
      ? first
      : await vscode.window.showQuickPick(items, {
          title: vscode.l10n.t('Open Configuration'),
          matchOnDescription: true,
        });
  if (item?.path === undefined || !item.pool) {
    throw new CancellationError();
  }
  return item.pool.files.includes(item.path)
    ? item.path
    : service.configuration.ensureFile(item.pool.id);
}

function fileItems(pool: McpPool): readonly FileItem[] {
  const paths = [...new Set([pool.primaryFile, ...[...pool.files].reverse()])];
  return [
    { label: poolLabel(pool), kind: vscode.QuickPickItemKind.Separator },
    ...paths.map((path): FileItem => {
      const isMissing = !pool.files.includes(path);
      return {
        label: isMissing ? `$(new-file) ${path}` : `$(file) ${path}`,
        description: isMissing ? vscode.l10n.t('create') : undefined,
        path,
        pool,
      };
    }),
  ];
}

export async function openFile(path: string, range?: TextRange): Promise<void> {
  // the editor would wait for ever at a pipe
  await assertRegularFile(path);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  const selection =
    range && new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
  await vscode.window.showTextDocument(document, selection ? { selection } : {});
}
