import { hostname } from 'node:os';
import * as vscode from 'vscode';
import { CancellationError } from '../../base/async/cancellation.js';
import { HumanError } from '../../base/errors.js';
import type { WorkspaceFolder } from '../../config/definition.js';
import { commandIds } from '../../contributions.js';
import type { FolderGateways } from '../../gateway/folderGateways.js';
import type { McpPool, McpService } from '../../mcp/mcpApi.js';
import {
  clientConfiguration,
  clientName,
  commandLineRisk,
  type GatewayClient,
  gatewayClients,
  gatewayVariables,
  type TokenWay,
  tokenWays,
} from '../../presentation/gateway/clientConfiguration.js';
import { poolOf } from '../../presentation/tree/targets.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { confirm, showInformation } from '../notifications.js';
import { nothingToPick, pickOne } from '../prompts/picks/picks.js';
import { pickPool } from '../prompts/picks/serverPicker.js';
import type { GatewayTerminals } from './gatewayTerminals.js';

export interface GatewayCommandParts {
  readonly service: McpService;
  readonly gateways: FolderGateways;
  readonly terminals: GatewayTerminals;
}

export function gatewayCommands(parts: GatewayCommandParts): CommandHandlers {
  const { service, gateways } = parts;
  return {
    [commandIds.startGateway]: async (argument) => {
      const folder = await folderOf(service, argument, {
        title: vscode.l10n.t('Start Gateway'),
        accepts: ({ id }) => gateways.get(id) === undefined,
      });
      await startGateway(parts, folder);
      await offerUse(folder);
    },
    [commandIds.stopGateway]: async (argument) => {
      const folder = await folderOf(service, argument, {
        title: vscode.l10n.t('Stop Gateway'),
        accepts: ({ id }) => gateways.get(id) !== undefined,
      });
      await gateways.stop(folder.uri);
    },
    [commandIds.useGateway]: async (argument) => {
      const folder = await folderOf(service, argument, {
        title: useTitle(),
        accepts: () => true,
      });
      await useGateway(parts, folder);
    },
  };
}

const useTitle = () => vscode.l10n.t('Use Gateway From…');

async function folderOf(
  service: McpService,
  argument: unknown,
  options: {
    readonly title: string;
    readonly accepts: (pool: McpPool) => boolean;
  },
): Promise<WorkspaceFolder> {
  const named = poolOf(service, argument)?.folder;
  if (named) {
    return named;
  }
  const accepts = (pool: McpPool) => pool.folder !== undefined && options.accepts(pool);
  const { folder } = await pickPool(service, { ...options, accepts });
  if (!folder) {
    throw nothingToPick(options.title);
  }
  return folder;
}

/** Whoever asks for what needs a gateway starts it. */
export async function startGateway(
  { service, gateways }: Pick<GatewayCommandParts, 'service' | 'gateways'>,
  { uri }: WorkspaceFolder,
) {
  if (!service.trust.isWorkspaceTrusted) {
    throw new HumanError('trust_required', vscode.l10n.t('The workspace is in Restricted Mode.'), {
      remedy: vscode.l10n.t('Trust the workspace.'),
    });
  }
  return gateways.start(uri);
}

async function offerUse({ uri, name }: WorkspaceFolder): Promise<void> {
  const use = useTitle();
  const message = vscode.l10n.t(
    'The gateway of folder "{0}" has started. It lends the folder\'s MCP servers to programs of this machine until you stop it or close the window.',
    name,
  );
  if ((await showInformation(message, use)) === use) {
    await vscode.commands.executeCommand(commandIds.useGateway, uri);
  }
}

async function copyManageToken(parts: GatewayCommandParts, folder: WorkspaceFolder): Promise<void> {
  const { name } = folder;
  const message = vscode.l10n.t('Copy the admin token of the gateway of folder "{0}"?', name);
  const isSure = await confirm(message, {
    detail: vscode.l10n.t(
      'A program with this token can add, change and remove MCP servers in your own configuration file, and servers in that file run as programs under your account. To call tools the token of a client is enough. It counts until the gateway stops.',
    ),
    action: vscode.l10n.t('Copy Gateway Admin Token'),
  });
  if (!isSure) {
    throw new CancellationError();
  }
  const { url, tokens } = await startGateway(parts, folder);
  await vscode.env.clipboard.writeText(tokens.manage);
  const api = new URL('/api/v1/mcp', url).href;
  void showInformation([copiedWithToken(), api, ...elsewhere()].join(' '));
}

/** A terminal that has it, a client's configuration for the clipboard, or the token that manages servers. */
async function useGateway(parts: GatewayCommandParts, folder: WorkspaceFolder): Promise<void> {
  const chosen = await pickOne<GatewayClient | 'terminal' | 'manage' | 'stop'>(
    [
      {
        label: vscode.l10n.t('Terminal'),
        detail: Object.values(gatewayVariables).join(', '),
        value: 'terminal',
      },
      ...gatewayClients.map((value) => ({ label: clientName(value), value })),
      {
        label: vscode.l10n.t('Copy Gateway Admin Token'),
        detail: vscode.l10n.t('For programs that add and remove servers'),
        value: 'manage',
      },
      ...(parts.gateways.get(folder.uri)
        ? [{ label: vscode.l10n.t('Stop Gateway'), value: 'stop' } as const]
        : []),
    ],
    { title: useTitle() },
  );
  switch (chosen) {
    case 'terminal':
      parts.terminals.open(folder, await startGateway(parts, folder));
      break;
    case 'manage':
      await copyManageToken(parts, folder);
      break;
    case 'stop':
      await parts.gateways.stop(folder.uri);
      break;
    default:
      await copyConfiguration(parts, folder, chosen);
  }
}

const copiedWithToken = () => vscode.l10n.t('Copied, with the token.');

async function copyConfiguration(
  parts: GatewayCommandParts,
  folder: WorkspaceFolder,
  client: GatewayClient,
): Promise<void> {
  const way = await pickOne(
    tokenWays(client).map((value) => ({ ...tokenWayWords(value), value })),
    { title: clientName(client), takesOnly: true },
  );
  const { url, tokens } = await startGateway(parts, folder);
  const { text, place, hasToken } = clientConfiguration(client, { url, token: tokens.use }, way);
  await vscode.env.clipboard.writeText(text);
  const copied = hasToken ? copiedWithToken() : vscode.l10n.t('Copied, without a secret.');
  void showInformation([copied, place, ...elsewhere()].join(' '));
}

/** The clipboard may be that of another machine. */
function elsewhere(): readonly string[] {
  return vscode.env.remoteName === undefined
    ? []
    : [
        vscode.l10n.t(
          'The address works on "{0}" alone, the machine on which this window runs servers.',
          hostname(),
        ),
      ];
}

function tokenWayWords(way: TokenWay): { readonly label: string; readonly detail: string } {
  switch (way) {
    case 'variable':
      return {
        label: vscode.l10n.t('With Variables'),
        detail: vscode.l10n.t('Without a secret, for a terminal that the gateway opened.'),
      };
    case 'file':
      return {
        label: vscode.l10n.t('With the Token, for a File'),
        detail: vscode.l10n.t(
          'Works everywhere, until the gateway stops. Keep it out of files that others see.',
        ),
      };
    case 'commandLine':
      return {
        label: vscode.l10n.t('With the Token, as a Command'),
        detail: commandLineRisk(),
      };
  }
}
