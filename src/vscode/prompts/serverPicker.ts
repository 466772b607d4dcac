import * as vscode from 'vscode';
import { CancellationError } from '../../base/async/cancellation.js';
import { HumanError } from '../../base/errors.js';
import type { McpPool, McpServer, McpService } from '../../mcp/mcpApi.js';
import { stateIcon, stateWord } from '../../mcp/stateText.js';
import { launchText, poolLabel } from '../../presentation/tree/presentation.js';

export interface ServerPickOptions {
  readonly title: string;
  /** Sentence for the case that there is nothing to pick. */
  readonly emptyMessage: string;
  /** Default: every server. */
  readonly accepts?: (server: McpServer) => boolean;
}

type Item<T> = vscode.QuickPickItem & { readonly value?: T };

/** @throws {HumanError} without candidates; a cancellation when the user dismisses the list. */
export async function pickServer(
  service: McpService,
  options: ServerPickOptions,
): Promise<McpServer> {
  const items = service.pools.flatMap((pool): Item<McpServer>[] => {
    const servers = pool.servers.filter(options.accepts ?? (() => true));
    return servers.length === 0 ? [] : [separator(pool), ...servers.map(serverItem)];
  });
  return pick(items, options);
}

/** Asks only when there is a choice. @throws like {@link pickServer}. */
export async function pickPool(
  service: McpService,
  options: {
    readonly title: string;
    readonly emptyMessage: string;
    readonly accepts?: (pool: McpPool) => boolean;
  },
): Promise<McpPool> {
  const pools = service.pools.filter(options.accepts ?? (() => true));
  const [only] = pools;
  if (only && pools.length === 1) {
    return only;
  }
  const items = pools.map(
    (pool): Item<McpPool> => ({
      label: `$(${pool.folder ? 'root-folder' : 'globe'}) ${poolLabel(pool)}`,
      description: pool.folder?.fsPath ?? pool.primaryFile,
      value: pool,
    }),
  );
  return pick(items, options);
}

/** The configuration that something new goes into. @throws like {@link pickServer}. */
export function pickTarget(service: McpService): Promise<McpPool> {
  return pickPool(service, {
    title: vscode.l10n.t('Add to Which Configuration?'),
    emptyMessage: vscode.l10n.t('No configuration is loaded yet.'),
    accepts: (pool) => pool.primaryFile !== '',
  });
}

async function pick<T>(
  items: readonly Item<T>[],
  options: { readonly title: string; readonly emptyMessage: string },
): Promise<T> {
  if (items.length === 0) {
    throw new HumanError('nothing_to_pick', options.emptyMessage);
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: options.title,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.value === undefined) {
    throw new CancellationError();
  }
  return picked.value;
}

function separator(pool: McpPool): Item<never> {
  return { label: poolLabel(pool), kind: vscode.QuickPickItemKind.Separator };
}

function serverItem(server: McpServer): Item<McpServer> {
  const state = server.state.value;
  return {
    label: `$(${stateIcon(state)}) ${server.definition.name}`,
    description: stateWord(state),
    detail: launchText(server.definition),
    value: server,
  };
}
