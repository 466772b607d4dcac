import * as vscode from 'vscode';
import { commandIds } from '../../contributions.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import type { McpServerState } from '../../mcp/mcpTypes.js';
import { isReadyToStart, isRunning } from '../../mcp/stateKinds.js';
import { stateText } from '../../mcp/trouble/stateText.js';
import { troubleOf, troubleText } from '../../mcp/trouble/trouble.js';
import { toolCount } from '../../presentation/tree/presentation.js';
import { poolOf } from '../../presentation/tree/targets.js';
import type { CommandHandlers } from '../commandHandlers.js';
import { showInformation, showWarning } from '../notifications.js';
import { nothingToPick } from '../prompts/picks/picks.js';
import { chooseServer } from '../prompts/picks/serverPicker.js';
import { type ProbeParts, removeServer, whenMayRun } from '../prompts/serverFlows.js';
import { withCancellableProgress } from '../workspace/cancelling.js';
import { serverName } from '../workspace/serverName.js';

export interface ServerCommandParts extends ProbeParts {
  readonly service: McpService;
}

export function serverCommands(parts: ServerCommandParts): CommandHandlers {
  const { service } = parts;
  return {
    [commandIds.startServer]: async (argument) => {
      const server = await chooseServer(service, argument, {
        title: vscode.l10n.t('Start'),
        accepts: ({ state }) => isReadyToStart(state.value),
        takesOnly: true,
      });
      await start(server, parts);
    },
    [commandIds.stopServer]: async (argument) => {
      const server = await chooseServer(service, argument, {
        title: vscode.l10n.t('Stop'),
        accepts: ({ state }) => isRunning(state.value),
      });
      await server.stop();
    },
    [commandIds.restartServer]: async (argument) => {
      const title = vscode.l10n.t('Restart');
      await start(await chooseServer(service, argument, { title }), parts);
    },
    [commandIds.startAllServers]: async (argument) => {
      const servers = serversToAct(service, argument).filter(({ state }) =>
        isReadyToStart(state.value),
      );
      assertSome(servers, vscode.l10n.t('Start'));
      await Promise.all(servers.map((server) => start(server, parts)));
    },
    [commandIds.stopAllServers]: async (argument) => {
      const servers = serversToAct(service, argument).filter(({ state }) => isRunning(state.value));
      assertSome(servers, vscode.l10n.t('Stop'));
      await Promise.all(servers.map((server) => server.stop()));
    },
    [commandIds.probeServer]: (argument) => probe(argument, parts),
    [commandIds.enableServer]: (argument) => setEnabled(parts, argument, true),
    [commandIds.disableServer]: (argument) => setEnabled(parts, argument, false),
    [commandIds.removeServer]: async (argument) => {
      const title = vscode.l10n.t('Remove');
      await removeServer(service, await chooseServer(service, argument, { title }));
    },
    [commandIds.refresh]: () => service.reload(),
  };
}

/** Of the pool of a tree node, or else of all. */
function serversToAct(service: McpService, argument: unknown): readonly McpServer[] {
  return poolOf(service, argument)?.servers ?? service.servers;
}

function assertSome(servers: readonly McpServer[], title: string): void {
  if (servers.length === 0) {
    throw nothingToPick(title);
  }
}

/** Connects afresh. How it went is what the server's row says. */
async function start(server: McpServer, parts: ProbeParts): Promise<void> {
  await whenMayRun(server, parts, () => server.restart());
}

/** Connects afresh and says how it went. */
async function probe(argument: unknown, parts: ServerCommandParts): Promise<void> {
  const server = await chooseServer(parts.service, argument, {
    title: vscode.l10n.t('Probe'),
  });
  const title = vscode.l10n.t('{0}: {1}', vscode.l10n.t('Probe'), serverName(server.definition));
  const state = await whenMayRun(server, parts, () =>
    withCancellableProgress(title, (signal) => server.restart(signal)),
  );
  if (state) {
    await showProbeResult(server, state);
  }
}

async function showProbeResult(server: McpServer, state: McpServerState): Promise<void> {
  const name = serverName(server.definition);
  if (state.kind === 'connected') {
    const seconds = (state.connectMs / 1000).toFixed(1);
    const tools = toolCount(server.catalog.value.tools.length);
    void showInformation(
      vscode.l10n.t(
        'The MCP server works, with {0}, connected in {1} s: {2}',
        tools,
        seconds,
        name,
      ),
    );
    return;
  }
  const { fix } = stateText(state);
  const trouble = troubleOf(state);
  const text = trouble ? troubleText(trouble) : stateText(state).sentence;
  const choice = await showWarning(
    vscode.l10n.t('{0} MCP server: {1}', text, name),
    ...(fix ? [fix.title] : []),
  );
  if (choice !== undefined && choice === fix?.title) {
    await vscode.commands.executeCommand(commandIds.fixServer, server.id);
  }
}

async function setEnabled(
  { service, inputs }: ServerCommandParts,
  argument: unknown,
  isEnabled: boolean,
): Promise<void> {
  const server = await chooseServer(service, argument, {
    title: isEnabled ? vscode.l10n.t('Enable') : vscode.l10n.t('Disable'),
    accepts: (candidate) => candidate.definition.enabled !== isEnabled,
  });
  const change = () => service.configuration.setEnabled(server.id, isEnabled);
  if (!isEnabled) {
    await change();
    return;
  }
  await inputs.whileWanted(server.definition, async () => {
    await change();
    await untilSettled(service.getServer(server.id));
  });
}

/** One that starts by itself is up, or has failed. */
async function untilSettled(server: McpServer | undefined): Promise<void> {
  if (server?.state.value.kind === 'connecting') {
    await server.ensureConnected().catch(() => undefined);
  }
}
