import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.js';
import { HumanError } from '../../base/errors.js';
import { commandIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { listRunningServers } from '../../mcp/service/runningServers.js';
import { stateIcon } from '../../mcp/stateText.js';
import {
  runningServerFacts,
  runningServerHolders,
} from '../../presentation/consent/runningServersText.js';
import { poolLabel } from '../../presentation/tree/presentation.js';
import type { CommandHandlers } from '../registerCommand.js';
import type { ReportError } from '../reportError.js';
import type { LogChannels } from '../workspace/logChannels.js';

export interface ProcessCommandParts {
  readonly service: McpService;
  readonly logs: LogChannels;
  readonly reportError: ReportError;
}

interface Item extends vscode.QuickPickItem {
  readonly server?: McpServer;
}

interface ItemButton extends vscode.QuickInputButton {
  readonly run: (server: McpServer) => Promise<unknown> | undefined;
}

/** Memory and uptime change without an event. */
const refreshMs = 2000;

export function processCommands(parts: ProcessCommandParts): CommandHandlers {
  return {
    [commandIds.showRunningServers]: async () => {
      const buttons = createButtons(parts);
      const items = await readItems(parts, buttons);
      if (items.length === 0) {
        throw new HumanError('nothing_runs', vscode.l10n.t('No MCP server is running.'));
      }
      showRunning(parts, items, buttons);
    },
  };
}

function showRunning(
  parts: ProcessCommandParts,
  items: readonly Item[],
  buttons: readonly ItemButton[],
): void {
  const store = new DisposableStore();
  const picker = store.add(vscode.window.createQuickPick<Item>());
  picker.title = vscode.l10n.t('Running MCP Servers');
  picker.placeholder = vscode.l10n.t('Pick a server to stop it, restart it or read its log');
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.keepScrollPosition = true;
  picker.items = items;
  const refresh = async () => {
    const next = await readItems(parts, buttons);
    if (!store.isDisposed) {
      const active = picker.activeItems[0]?.server;
      picker.items = next;
      picker.activeItems = next.filter((item) => item.server && item.server === active);
    }
  };
  const update = () => void refresh().catch(parts.reportError);
  const timer = setInterval(update, refreshMs);
  store.add({ dispose: () => clearInterval(timer) });
  store.add(parts.service.onDidChangeServer(update));
  store.add(
    picker.onDidTriggerItemButton(({ item, button }) => {
      void runButton(item, button).catch(parts.reportError);
    }),
  );
  store.add(
    picker.onDidAccept(() => {
      const server = picker.selectedItems[0]?.server;
      picker.hide();
      if (server) {
        void pickAction(server, buttons).catch(parts.reportError);
      }
    }),
  );
  store.add(picker.onDidHide(() => store.dispose()));
  picker.show();
}

/** The buttons again, as a list, for the keyboard. */
async function pickAction(server: McpServer, buttons: readonly ItemButton[]): Promise<void> {
  const items = buttons.map((button) => ({ label: button.tooltip ?? '', button }));
  const title = vscode.l10n.t('MCP Server "{0}"', server.definition.name);
  const picked = await vscode.window.showQuickPick(items, { title });
  await picked?.button.run(server);
}

async function runButton(item: Item, button: vscode.QuickInputButton): Promise<void> {
  if (item.server) {
    await (button as ItemButton).run(item.server);
  }
}

function createButtons({ logs }: ProcessCommandParts): readonly ItemButton[] {
  return [
    {
      iconPath: new vscode.ThemeIcon('debug-stop'),
      tooltip: vscode.l10n.t('Stop'),
      run: (server) => server.stop(),
    },
    {
      iconPath: new vscode.ThemeIcon('debug-restart'),
      tooltip: vscode.l10n.t('Restart'),
      run: (server) => server.restart(),
    },
    {
      iconPath: new vscode.ThemeIcon('output'),
      tooltip: vscode.l10n.t('Show Log'),
      run: (server) => {
        logs.showServer(server.definition);
        return undefined;
      },
    },
  ];
}

async function readItems(
  { service }: ProcessCommandParts,
  buttons: readonly ItemButton[],
): Promise<readonly Item[]> {
  const running = await listRunningServers(service);
  return service.pools.flatMap((pool): Item[] => {
    const own = running.filter(({ server }) => server.definition.poolId === pool.id);
    const items = own.map((entry) => ({
      label: `$(${stateIcon(entry.server.state.value)}) ${entry.server.definition.name}`,
      description: runningServerFacts(entry),
      detail: runningServerHolders(entry),
      buttons,
      server: entry.server,
    }));
    const heading = { label: poolLabel(pool), kind: vscode.QuickPickItemKind.Separator };
    return items.length === 0 ? [] : [heading, ...items];
  });
}
