import * as vscode from 'vscode';
import { counted } from '../../../base/text/counted.js';
import { labelText } from '../../../base/text/labelText.js';
import { nameToken } from '../../../base/text/nameToken.js';
import {
  type ExportClient,
  exportClients,
  exportLabels,
} from '../../../config/export/clientFormats.js';
import {
  type ExportedServer,
  type ExportResult,
  exportServers,
  lossLines,
} from '../../../config/export/exportServers.js';
import { declarationOf } from '../../../config/inputs/inputDeclaration.js';
import { commandIds } from '../../../contributions.js';
import type { McpServer, McpService } from '../../../mcp/mcpApi.js';
import { serverOf } from '../../../presentation/tree/targets.js';
import { launchText } from '../../../presentation/tree/tooltips/serverTooltip.js';
import type { CommandHandlers } from '../../commandHandlers.js';
import { confirm, showInformation } from '../../notifications.js';
import { pickItemsByPool, pickOne, pickSome } from '../../prompts/picks/picks.js';
import { serverName } from '../../workspace/serverName.js';

/** Servers in the words of other clients; their files are never written. */
export function exportCommands(service: McpService): CommandHandlers {
  return {
    [commandIds.exportServers]: async (argument) => {
      const one = serverOf(service, argument);
      if (one) {
        await copyServer(service, one);
        return;
      }
      const items = pickItemsByPool(service, ({ servers }) =>
        servers.filter(isOwn).map((server) => ({
          label: labelText(server.definition.name),
          description: labelText(launchText(server.definition) ?? ''),
          picked: true,
          value: server,
        })),
      );
      const title = vscode.l10n.t('Export');
      const servers = await pickSome<McpServer>(items, title);
      const exported = await Promise.all(servers.map((server) => read(service, server)));
      const { result } = await pickClient(
        exported,
        counted(vscode.l10n.t('1 server|{0} servers'), servers.length),
      );
      const { text: content, language } = result;
      const document = await vscode.workspace.openTextDocument({ content, language });
      await vscode.window.showTextDocument(document);
    },
  };
}

/** Of a single one the text goes to the clipboard. */
async function copyServer(service: McpService, server: McpServer): Promise<void> {
  const { definition } = server;
  const { client, result } = await pickClient([await read(service, server)], definition.name);
  await vscode.env.clipboard.writeText(result.text);
  void showInformation(
    vscode.l10n.t('Copied to {0}, MCP server: {1}', exportLabels[client], serverName(definition)),
  );
}

/** What another program declares is that program's to hand on. */
function isOwn({ definition }: McpServer): boolean {
  return definition.origin.layer !== 'import';
}

async function read(service: McpService, server: McpServer): Promise<ExportedServer> {
  const { name, entry } = await service.configuration.read(server.id);
  const pool = service.getPool(server.definition.poolId);
  return { name, entry, inputs: (pool?.inputs ?? []).map(declarationOf) };
}

interface Exported {
  readonly client: ExportClient;
  readonly result: ExportResult;
}

/** What is lost is said before anything is copied. */
async function pickClient(servers: readonly ExportedServer[], what: string): Promise<Exported> {
  const results = exportClients.map((client) => ({
    client,
    result: exportServers(servers, client),
  }));
  const chosen = await pickOne(
    results.map((value) => ({
      label: exportLabels[value.client],
      detail: lossesInShort(value),
      value,
    })),
    { title: vscode.l10n.t('Copy for Which Client? {0}', nameToken(what)) },
  );
  const { losses } = chosen.result;
  if (losses.length > 0) {
    const detail = lossLines(chosen.result, servers.length).join('\n');
    const isAgreed = await confirm(lossesInShort(chosen), {
      detail,
      action: vscode.l10n.t('Copy'),
    });
    if (!isAgreed) {
      throw new vscode.CancellationError();
    }
  }
  return chosen;
}

function lossesInShort({ client, result }: Exported): string {
  const fields = [...new Set(result.losses.map(({ field }) => field))];
  return fields.length === 0
    ? ''
    : vscode.l10n.t('In {0} this is different: {1}', exportLabels[client], fields.join(', '));
}
